import { exceedsUtf8Bytes } from "../lib/utf8-length.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { refused, type Refusal } from "./hold-end.ts";
import type { UnwrittenInteractions } from "./unwritten-interactions.ts";

export interface LimitParts {
  readonly unwritten: UnwrittenInteractions;
  readonly overview: {
    readonly pendingOf: (sessionId: string) => number;
    readonly openOf: (createdBy: string) => number;
    readonly pendingInAll: number;
  };
  readonly limits: {
    readonly pendingPerSession: number;
    readonly openPerCreator: number;
    readonly pendingInAll: number;
    /** UTF-8 bytes of one request as JSON. */
    readonly requestBytes: number;
  };
  readonly draining: AbortSignal;
}

/**
 * Why no further request is possible; `undefined` if one is. The overview counts interactions that are pending in the
 * store, including those queued without a turn. Those being written are added. Late interactions count for the
 * creator of their session until they leave the overview, since short deadlines would otherwise circumvent the limit.
 */
export function limitReached(
  { unwritten, overview, limits, draining }: LimitParts,
  { sessionId, createdBy }: RunningTurn,
  request: HoldRequest,
): Refusal | undefined {
  if (draining.aborted) return refused("The gateway is stopping.", "DRAINING");
  if (exceedsUtf8Bytes(JSON.stringify(request), limits.requestBytes)) {
    return refused("The request is too large to be shown.", "TOO_LARGE");
  }
  const isFull =
    overview.pendingOf(sessionId) + unwritten.inSession(sessionId) >= limits.pendingPerSession ||
    overview.openOf(createdBy) + unwritten.of(createdBy) >= limits.openPerCreator ||
    overview.pendingInAll + unwritten.size >= limits.pendingInAll;
  return isFull ? refused("Too many interactions are pending.", "TOO_MANY_PENDING") : undefined;
}
