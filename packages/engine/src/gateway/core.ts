import type { Told } from "@holdpoint/protocol";

import type { Credentials } from "../credentials/credentials.ts";
import type { Pairings } from "../credentials/pairings.ts";
import type { KnownGrants } from "../grants/known-grants.ts";
import type { Deadlines } from "../interaction/deadlines.ts";
import type { ResponderConfig } from "../interaction/find-responders.ts";
import type { Hold } from "../interaction/hold.ts";
import type { Parking } from "../interaction/parking.ts";
import type { LateAges } from "../interaction/prune-overview.ts";
import type { SettleInteraction } from "../interaction/settle.ts";
import type { UnclaimedInteractions } from "../interaction/unclaimed-interactions.ts";
import type { UndoWindows } from "../interaction/undo-window.ts";
import type { UnwrittenInteractions } from "../interaction/unwritten-interactions.ts";
import type { Waiters } from "../interaction/waiters.ts";
import type { WithdrawInteraction } from "../interaction/withdraw.ts";
import type { BackgroundTasks } from "../lib/background-tasks.ts";
import type { Serial } from "../lib/serial.ts";
import type { AgentAdapter, TurnContext } from "../ports/agent-adapter.ts";
import type { CallbacksPort } from "../ports/callbacks.ts";
import type { Clock } from "../ports/clock.ts";
import type { FileListing } from "../ports/file-listing.ts";
import type { FolderTrustPort } from "../ports/folder-trust.ts";
import type { Ids } from "../ports/ids.ts";
import type { NotificationsPort } from "../ports/notifications.ts";
import type { PeoplePort } from "../ports/people.ts";
import type { Store } from "../ports/store.ts";
import type { Availabilities } from "../presence/availabilities.ts";
import type { Presence } from "../presence/presence.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { OverviewFeed } from "../stream/overview-feed.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";
import type { StopTurn } from "../turn/stop-turn.ts";
import type { ExternalSessionLimit } from "./external-session-limit.ts";
import type { GatewayLimits } from "./gateway-options.ts";

/** The options of a gateway with defaults applied, and the parts that live as long as it does. */
export interface Settings {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly pairings: Pairings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly defaultCwd: string;
  readonly refuseCwd: (cwd: string) => Promise<Told | undefined>;
  readonly listFiles: (cwd: string) => Promise<FileListing>;
  readonly holdTimeoutMs: number;
  /** How long an approval "from now on" is valid. */
  readonly alwaysGrantMs: number;
  readonly lateAges: LateAges;
  readonly reattachGraceMs: number;
  readonly parkAfterMs: number;
  readonly availabilityGraceMs: number;
  /** For requests that do not set it. */
  readonly onDisconnect: "wait" | "deny";
  readonly whenUnavailable: "wait" | "refuse";
  readonly hasPerson: () => Promise<boolean>;
  readonly people: PeoplePort;
  readonly responders: ResponderConfig;
  readonly folderTrust: FolderTrustPort;
  readonly notifications: NotificationsPort;
  readonly callbacks: CallbacksPort;
  readonly limits: GatewayLimits;
  /** The page where a person answers an interaction. */
  readonly toCardUrl: (interactionId: string) => string;
  readonly onToolLog: (entry: ToolLogEntry) => void;
  readonly onError: (error: unknown, where: string) => void;
  /** Background work that closing waits for. */
  readonly background: BackgroundTasks;
  /** Aborts when the gateway begins to close. */
  readonly draining: AbortSignal;
}

/** The sessions that are to be recovered from the previous gateway. */
export interface SessionRecovery {
  has(sessionId: string): boolean;
  add(sessionId: string): void;
  /** Resolves once the session is recovered or the gateway closes. Starts its recovery if that has not begun. */
  done(sessionId: string): Promise<void>;
  /** Recovers all sessions. */
  run(): Promise<void>;
}

/**
 * All parts of one gateway, put together in `compose.ts`. Only this folder uses all of them: code elsewhere lists the
 * few parts that it needs.
 */
export interface Core extends Settings {
  readonly sessions: LiveSessions;
  readonly log: SessionLog;
  readonly knownGrants: KnownGrants;
  readonly waiters: Waiters;
  readonly unwritten: UnwrittenInteractions;
  readonly unclaimed: UnclaimedInteractions;
  readonly deadlines: Deadlines;
  /** Takes late interactions off the overview. */
  readonly leaving: Deadlines;
  /** Ends permission modes that a person has allowed for a limited time. */
  readonly modeEnds: Deadlines;
  /** Checks whether reassigned requests have to go back to the person who reassigned them. */
  readonly handingBack: Deadlines;
  readonly parking: Parking;
  readonly undoWindows: UndoWindows;
  readonly presence: Presence;
  readonly availability: Availabilities;
  readonly overview: OverviewFeed;
  readonly settle: SettleInteraction;
  /** Serializes the reassignments of all interactions. */
  readonly handingOver: Serial;
  readonly withdraw: WithdrawInteraction;
  readonly stopTurn: StopTurn;
  readonly hold: Hold;
  readonly recovery: SessionRecovery;
  readonly roomElsewhere: ExternalSessionLimit;
  /** Resolves once the session is recovered from a previous gateway. */
  readonly recovered: (sessionId: string) => Promise<void>;
  /** The promise of `recovered`, or `undefined` when the session needs no recovery. */
  readonly recovering: (sessionId: string) => Promise<void> | undefined;
  /** Answers every pending interaction that is covered by a grant with this hash. */
  readonly answerWaiting: (grantHash: string) => void;
  /** Answers one interaction, if a grant covers it. */
  readonly answerByGrant: (interactionId: string) => void;
  /** The context that an agent gets for one turn. */
  readonly createContext: (live: LiveSession, turn: RunningTurn) => TurnContext;
  /** Runs the session's queue unless it is already running. */
  readonly kickQueue: (sessionId: string) => void;
  /** Runs a turn that no message began, in a session with nothing running. */
  readonly driveFirst: (live: LiveSession, first: () => Promise<void>) => void;
  readonly driveAlone: (live: LiveSession, run: () => Promise<void>) => void;
}
