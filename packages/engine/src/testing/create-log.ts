import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { LiveSessions } from "../session/live-sessions.ts";
import { SessionLog } from "../session/session-log.ts";
import { OverviewFeed } from "../stream/overview-feed.ts";

/** A separate log over a gateway's store, as if another part of the gateway wrote to it. */
export function createLog({ store, clock }: { store: Store; clock: Clock }): SessionLog {
  const sessions = new LiveSessions({
    asksPerSecond: 1,
    restingStatus: () => "idle",
    onStatus: () => undefined,
  });
  return new SessionLog({
    store,
    sessions,
    overview: new OverviewFeed(() => undefined, { clock }),
    beforeWrite: () => undefined,
    onClosed: () => undefined,
  });
}
