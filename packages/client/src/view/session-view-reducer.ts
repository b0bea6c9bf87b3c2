import {
  foldInteraction,
  type Interaction,
  newerInteraction,
  type Session,
  type SessionEvent,
  type SessionFrame,
} from "@holdpoint/protocol";

import { SessionViewDraft } from "./session-view-draft.ts";
import { foldEvent } from "./session-view-events.ts";
import { foldEphemeral } from "./session-view-frames.ts";
import { joinEarlier } from "./session-view-join.ts";
import type { SessionView } from "./session-view.ts";

export interface FoldResult {
  readonly view: SessionView;
  /** Events are missing before one that was to be folded; it and what follows it was not. Load anew. */
  readonly gap: boolean;
}

/** The view of a session of which nothing is known yet. */
export function createSessionView(epoch?: string): SessionView {
  return {
    ...(epoch !== undefined && { epoch }),
    firstSeq: 0,
    lastSeq: 0,
    hasEarlier: false,
    status: "idle",
    items: [],
    interactions: new Map(),
    grantUses: new Map(),
    queue: [],
  };
}

/**
 * The view after these frames. Events that it has already are ignored, and so is what a `reset` makes void: after
 * one, what follows is folded into an empty view of the new history.
 */
export function applyFrames(view: SessionView, frames: readonly SessionFrame[]): FoldResult {
  let draft = new SessionViewDraft(view);
  for (const frame of frames) {
    if (frame.type === "reset") {
      draft.close();
      draft = new SessionViewDraft(createSessionView(frame.epoch));
    } else if (!isEvent(frame)) {
      foldEphemeral(draft, frame);
    } else if (frame.seq > draft.facts.lastSeq + 1) {
      return { view: closeFolded(draft), gap: true };
    } else if (frame.seq === draft.facts.lastSeq + 1) {
      foldEvent(draft, frame);
    }
  }
  return { view: closeFolded(draft), gap: false };
}

/**
 * The view with events that come before it, oldest first; into an empty view, they are its first ones. Replay equals
 * live: however a log is split into what was loaded later and what was followed, the view is the same.
 */
export function prependEvents(
  view: SessionView,
  events: readonly SessionEvent[],
  hasEarlier: boolean,
): FoldResult {
  const isEmpty = view.lastSeq === 0;
  const earlier = isEmpty ? events : events.filter(({ seq }) => seq < view.firstSeq);
  const first = earlier[0]?.seq ?? view.firstSeq;
  const hasHoles = earlier.some(({ seq }, place) => seq !== first + place);
  if (hasHoles || (!isEmpty && first + earlier.length !== view.firstSeq)) {
    return { view, gap: true };
  }
  const draft = new SessionViewDraft(view);
  if (isEmpty) for (const event of earlier) foldEvent(draft, event);
  else if (earlier.length > 0) joinEarlier(draft, foldAll(earlier));
  draft.setFacts({ hasEarlier });
  return { view: closeFolded(draft), gap: false };
}

/** The view with what the gateway says of the session; what the log says later counts. */
export function withSession(view: SessionView, session: Session): SessionView {
  const { title, permissionMode, model, status } = session;
  const draft = new SessionViewDraft(view);
  draft.setFacts({ title, permissionMode, model, status });
  draft.remember({ statusKnown: true });
  return draft.close();
}

/** The view with the gateway's records of interactions, such as those whose request is not loaded. */
export function withInteractions(view: SessionView, rows: readonly Interaction[]): SessionView {
  const draft = new SessionViewDraft(view);
  for (const { remainingMs: _, ...row } of rows) {
    const known = draft.interactions.get(row.interactionId);
    const newer = known ? newerInteraction(known, row) : row;
    const changes = draft.memory.loose.changes.filter(
      ({ interactionId }) => interactionId === row.interactionId,
    );
    draft.setInteraction(changes.reduce(foldInteraction, newer));
  }
  return closeFolded(draft);
}

function foldAll(events: readonly SessionEvent[]): SessionViewDraft {
  const draft = new SessionViewDraft(createSessionView());
  for (const event of events) foldEvent(draft, event);
  return draft;
}

/** A session waits while its running turn is held by an interaction. */
function closeFolded(draft: SessionViewDraft): SessionView {
  const { status } = draft.facts;
  if (status === "running" || status === "waiting") {
    const next = isHeld(draft.interactions) ? "waiting" : "running";
    if (next !== status) draft.setFacts({ status: next });
  }
  return draft.close();
}

/** What is queued stays open beyond its turn, and holds none. */
function isHeld(interactions: SessionView["interactions"]): boolean {
  for (const { status, hold } of interactions.values()) {
    if (status === "pending" && hold !== "queued") return true;
  }
  return false;
}

function isEvent(frame: SessionFrame): frame is SessionEvent {
  return "seq" in frame;
}
