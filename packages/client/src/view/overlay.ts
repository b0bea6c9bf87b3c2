import type {
  EphemeralFrame,
  EventOf,
  QueuedMessage,
  Session,
  SessionEvent,
} from "@holdpoint/protocol";

import type { LogDraft } from "./folded-log.ts";
import { foldDelta, type GrowingItem, toDeltaKey } from "./growing-items.ts";
import { toCallKey, toMessageKey } from "./item-key.ts";

/** Session state that the gateway sent outside of the log. Each part applies until a later event replaces it. */
interface Told extends Partial<
  Pick<Session, "activeModel" | "limitedMode" | "model" | "permissionMode" | "status" | "title">
> {
  readonly turnId?: string;
  readonly retrying?: true;
}

/** State on top of a folded log that the log does not contain, or not yet. */
export interface Overlay {
  readonly told: Told;
  readonly growing: readonly GrowingItem[];
  readonly queue: readonly QueuedMessage[];
}

export const EMPTY_OVERLAY: Overlay = { told: {}, growing: [], queue: [] };

/** Returns the overlay after a frame that is not in the log. Ignores frames of unknown types. */
export function foldFrame(
  overlay: Overlay,
  frame: EphemeralFrame,
  { facts, items }: Pick<LogDraft, "facts" | "items">,
): Overlay {
  switch (frame.type) {
    case "text_delta":
    case "tool_call_delta": {
      const isOver = frame.turnId === facts.endedTurnId || items.has(toDeltaKey(frame));
      return isOver ? overlay : withGrowing(overlay, foldDelta(overlay.growing, frame));
    }
    case "session_status": {
      const { status, turnId, retrying } = frame;
      const { status: _s, turnId: _t, retrying: _r, ...told } = overlay.told;
      const turn = { ...(turnId !== undefined && { turnId }), ...(retrying && { retrying }) };
      return { ...overlay, told: { ...told, status, ...turn } };
    }
    case "queue_changed":
      return { ...overlay, queue: frame.messages };
    case "presence":
    case "ping":
    case "reset":
    case "closing":
      return overlay;
    default:
      return overlay;
  }
}

/** Returns the overlay without the parts that the next event of the log replaces. */
export function withoutReplaced(overlay: Overlay, event: SessionEvent): Overlay {
  switch (event.type) {
    case "turn_started": {
      const { status: _s, turnId: _t, retrying: _r, ...told } = overlay.told;
      const isOfTurn = ({ turnId }: GrowingItem): boolean => turnId === event.turnId;
      return withGrowing({ ...overlay, told }, keepThose(overlay.growing, isOfTurn));
    }
    case "turn_ended": {
      const { status: _s, turnId, retrying: _r, ...others } = overlay.told;
      const isCurrent = turnId === undefined || turnId === event.turnId;
      const isOfOther = (grown: GrowingItem): boolean => grown.turnId !== event.turnId;
      const told = isCurrent ? others : overlay.told;
      return withGrowing({ ...overlay, told }, keepThose(overlay.growing, isOfOther));
    }
    case "assistant_message":
      return withGrowing(overlay, withoutKey(overlay.growing, toMessageKey(event)));
    case "tool_call":
      return withGrowing(overlay, withoutKey(overlay.growing, toCallKey(event)));
    case "session_updated":
      return { ...overlay, told: withoutUpdated(overlay.told, event) };
    default:
      return overlay;
  }
}

function withoutUpdated(before: Told, event: EventOf<"session_updated">): Told {
  const { title, permissionMode, limitedMode, model, activeModel, ...others } = before;
  const keepsModel = event.model === undefined;
  return {
    ...others,
    ...(event.title === undefined && title !== undefined && { title }),
    ...(event.permissionMode === undefined &&
      permissionMode !== undefined && { permissionMode, ...(limitedMode && { limitedMode }) }),
    ...(keepsModel && model !== undefined && { model }),
    ...(keepsModel &&
      event.activeModel === undefined &&
      activeModel !== undefined && { activeModel }),
  };
}

function withGrowing(overlay: Overlay, growing: readonly GrowingItem[]): Overlay {
  return growing === overlay.growing ? overlay : { ...overlay, growing };
}

function withoutKey(growing: readonly GrowingItem[], key: string): readonly GrowingItem[] {
  return keepThose(growing, ({ item }) => item.key !== key);
}

/** Filters the items. Returns the same array if all of them stay. */
function keepThose(
  growing: readonly GrowingItem[],
  stays: (grown: GrowingItem) => boolean,
): readonly GrowingItem[] {
  return growing.every(stays) ? growing : growing.filter(stays);
}
