import {
  type Interaction,
  isHolding,
  isParked,
  newerInteraction,
  type Session,
  type SessionEvent,
  type SessionFrame,
} from "@holdpoint/protocol";

import { foldEvent, foldLog } from "./fold-log.ts";
import {
  closeDraft,
  createFoldedLog,
  type FoldedLog,
  type LogFacts,
  openDraft,
} from "./folded-log.ts";
import { toItems } from "./item-pages.ts";
import { keepIdentity } from "./keep-identity.ts";
import { EMPTY_OVERLAY, foldFrame, type Overlay, withoutReplaced } from "./overlay.ts";
import type { SessionView } from "./session-view.ts";

/** The data received for one session. */
interface Received {
  readonly epoch: string | undefined;
  /** Whether earlier events exist that are not loaded yet. */
  readonly hasEarlier: boolean;
  /** All loaded and followed events, without gaps. */
  readonly events: readonly SessionEvent[];
  /** The gateway's records of interactions, read in addition to the log. */
  readonly records: ReadonlyMap<string, Interaction>;
  /** Always `foldLog(events, records)`. */
  readonly log: FoldedLog;
  readonly overlay: Overlay;
}

/** The data received for one session, and the view that follows from it. Immutable. */
export interface SessionState extends Received {
  readonly view: SessionView;
}

export interface FoldResult {
  readonly state: SessionState;
  /** Whether events are missing. If so, the frames after the gap were not applied: load the session again. */
  readonly gap: boolean;
}

/** Returns the empty state of a session. */
export function createSessionState(epoch?: string): SessionState {
  const records = new Map();
  const log = createFoldedLog(records);
  const empty = { epoch, hasEarlier: false, events: [], records, log, overlay: EMPTY_OVERLAY };
  return { ...empty, view: toView(empty, []) };
}

/**
 * Returns the state after these frames. Ignores events that it already has. A `reset` starts an empty state, because
 * the following frames belong to a new history.
 */
export function applyFrames(state: SessionState, frames: readonly SessionFrame[]): FoldResult {
  const resetAt = frames.findLastIndex(({ type }) => type === "reset");
  const reset = frames[resetAt];
  if (reset?.type === "reset") {
    return applyFrames(createSessionState(reset.epoch), frames.slice(resetAt + 1));
  }
  const draft = openDraft(state.log);
  const added: SessionEvent[] = [];
  let { overlay } = state;
  let nextSeq = state.view.lastSeq + 1;
  let gap = false;
  for (const frame of frames) {
    if (!isEvent(frame)) {
      overlay = foldFrame(overlay, frame, draft);
    } else if (frame.seq > nextSeq) {
      gap = true;
      break;
    } else if (frame.seq === nextSeq) {
      foldEvent(draft, frame);
      overlay = withoutReplaced(overlay, frame);
      added.push(frame);
      nextSeq += 1;
    }
  }
  const events = added.length === 0 ? state.events : [...state.events, ...added];
  return { state: next(state, { events, log: closeDraft(draft), overlay }), gap };
}

/**
 * Returns the state with earlier events added, oldest first. In an empty state they become the first events. Folds all
 * events again, so that the order of loading makes no difference.
 */
export function prependEvents(
  state: SessionState,
  events: readonly SessionEvent[],
  hasEarlier: boolean,
): FoldResult {
  const { firstSeq, lastSeq } = state.view;
  const isEmpty = lastSeq === 0;
  const earlier = isEmpty ? events : events.filter(({ seq }) => seq < firstSeq);
  const first = earlier[0]?.seq ?? firstSeq;
  const hasHoles = earlier.some(({ seq }, index) => seq !== first + index);
  if (hasHoles || (!isEmpty && first + earlier.length !== firstSeq)) return { state, gap: true };
  const all = earlier.length === 0 ? state.events : [...earlier, ...state.events];
  const log = keepIdentity(state.log, foldLog(all, state.records));
  const overlay = isEmpty ? earlier.reduce(withoutReplaced, state.overlay) : state.overlay;
  return { state: next(state, { events: all, log, overlay, hasEarlier }), gap: false };
}

/** Returns the state with the gateway's record of the session. Later events of the log override it. */
export function withSession(state: SessionState, session: Session): SessionState {
  const { title, permissionMode, limitedMode, model, activeModel, status } = session;
  const told = {
    title,
    permissionMode,
    status,
    ...(limitedMode && { limitedMode }),
    ...(model !== undefined && { model }),
    ...(activeModel !== undefined && { activeModel }),
  };
  return next(state, { overlay: { ...state.overlay, told } });
}

/** Returns the state with the gateway's records of interactions, whose request events may not be loaded. */
export function withInteractions(state: SessionState, rows: readonly Interaction[]): SessionState {
  const records = new Map(state.records);
  for (const { remainingMs: _, ...row } of rows) {
    const known = records.get(row.interactionId);
    records.set(row.interactionId, known ? newerInteraction(known, row) : row);
  }
  const log = keepIdentity(state.log, foldLog(state.events, records));
  return next(state, { records, log });
}

/** Returns the same state if nothing has changed. */
function next(state: SessionState, changes: Partial<Received>): SessionState {
  const names = Object.keys(changes) as (keyof Received)[];
  if (names.every((name) => changes[name] === state[name])) return state;
  const changed = { ...state, ...changes };
  const { log, overlay } = changed;
  const hasSameItems = log.items === state.log.items && overlay.growing === state.overlay.growing;
  const items = hasSameItems
    ? state.view.items
    : [...toItems(log.items), ...overlay.growing.map(({ item }) => item)];
  return { ...changed, view: toView(changed, items) };
}

function toView(
  { epoch, hasEarlier, events, log, overlay }: Received,
  items: SessionView["items"],
): SessionView {
  const { told, queue } = overlay;
  const { facts, interactions, grantUses } = log;
  const title = told.title ?? facts.title;
  return {
    ...(epoch !== undefined && { epoch }),
    firstSeq: events[0]?.seq ?? 0,
    lastSeq: events.at(-1)?.seq ?? 0,
    hasEarlier,
    ...toTurn(log, overlay),
    ...(title !== undefined && { title }),
    ...toMode(told.permissionMode === undefined ? facts : told),
    ...toModel(told, facts),
    items,
    interactions,
    grantUses,
    queue,
  };
}

function toModel(
  told: Overlay["told"],
  facts: LogFacts,
): Pick<SessionView, "activeModel" | "model"> {
  const { model = facts.model, activeModel = facts.activeModel } = told;
  return {
    ...(model !== undefined && { model }),
    ...(activeModel !== undefined && { activeModel }),
  };
}

function toMode({
  permissionMode,
  limitedMode,
}: Overlay["told"] | LogFacts): Pick<SessionView, "limitedMode" | "permissionMode"> {
  return {
    ...(permissionMode !== undefined && { permissionMode }),
    ...(limitedMode && { limitedMode }),
  };
}

/** Derives status and turn. A session is waiting while an interaction holds its running turn. */
function toTurn(
  { facts, interactions }: FoldedLog,
  { told }: Overlay,
): Pick<SessionView, "isRetrying" | "status" | "turnId"> {
  const status = told.status ?? facts.status;
  const isBusy = status === "running" || status === "waiting";
  const isKnown = told.status === undefined || (isBusy && told.turnId === undefined);
  const turnId = isKnown ? facts.turnId : told.turnId;
  const turn = turnId === undefined ? {} : { turnId };
  if (isBusy) {
    const retry = told.retrying ? { isRetrying: true as const } : {};
    return { ...turn, ...retry, status: hasSome(interactions, isHolding) ? "waiting" : "running" };
  }
  const known = hasSome(interactions, isParked) ? "parked" : "idle";
  return { ...turn, status: told.status ?? known };
}

function hasSome(
  interactions: FoldedLog["interactions"],
  fits: (interaction: Interaction) => boolean,
): boolean {
  for (const interaction of interactions.values()) if (fits(interaction)) return true;
  return false;
}

function isEvent(frame: SessionFrame): frame is SessionEvent {
  return "seq" in frame;
}
