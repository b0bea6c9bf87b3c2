import type { Deadlines } from "../interaction/deadlines.ts";
import type { Unclaimed } from "../interaction/unclaimed.ts";
import type { Waiters } from "../interaction/waiters.ts";
import type { Outstanding } from "../lib/outstanding.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store } from "../ports/store.ts";
import type { Availability } from "../presence/availability.ts";
import type { Presence } from "../presence/presence.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { OverviewFeed } from "../stream/overview-feed.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";
import type { GatewayLimits } from "./gateway-options.ts";

/** Everything that one gateway consists of; the facade makes it, the mechanisms share it. */
export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly defaultCwd: string;
  readonly refuseCwd: (cwd: string) => Promise<string | undefined>;
  readonly holdTimeoutMs: number;
  /** How long an approval "from now on" holds. */
  readonly alwaysGrantMs: number;
  readonly limits: GatewayLimits;
  readonly onError: (error: unknown, where: string) => void;
  readonly sessions: LiveSessions;
  readonly log: SessionLog;
  readonly waiters: Waiters;
  readonly unclaimed: Unclaimed;
  readonly deadlines: Deadlines;
  readonly presence: Presence;
  readonly availability: Availability;
  /** For requests that do not say. */
  readonly onDisconnect: "wait" | "deny";
  readonly onToolLog: (entry: ToolLogEntry) => void;
  readonly overview: OverviewFeed;
  /** What else must go before a session is deleted. */
  readonly beforeDeletion: Set<(sessionId: string) => Promise<void>>;
  /** Runs the session's queue if it does not run already. */
  readonly kickQueue: (sessionId: string) => void;
  /** Answers what waits and is covered by a grant that was just made. */
  readonly answerWaiting: (grantHash: string) => void;
  /** Work in the background that a close waits for. */
  readonly background: Outstanding;
  /** Aborts when the gateway begins to close. */
  readonly draining: AbortSignal;
}
