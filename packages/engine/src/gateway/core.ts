import type { Told } from "@holdpoint/protocol";

import type { Credentials } from "../credentials/credentials.ts";
import type { Pairings } from "../credentials/pairings.ts";
import type { KnownGrants } from "../grants/known-grants.ts";
import type { Deadlines } from "../interaction/deadlines.ts";
import type { ResponderConfig } from "../interaction/find-responders.ts";
import type { Hold } from "../interaction/hold.ts";
import type { LateAges } from "../interaction/leave-overview.ts";
import type { Parking } from "../interaction/parking.ts";
import type { SettleInteraction } from "../interaction/settle.ts";
import type { Unclaimed } from "../interaction/unclaimed.ts";
import type { UndoWindows } from "../interaction/undo-window.ts";
import type { Unwritten } from "../interaction/unwritten.ts";
import type { Waiters } from "../interaction/waiters.ts";
import type { WithdrawInteraction } from "../interaction/withdraw.ts";
import type { Outstanding } from "../lib/outstanding.ts";
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
import type { Places } from "../presence/places.ts";
import type { Presence } from "../presence/presence.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { OverviewFeed } from "../stream/overview-feed.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";
import type { StopTurn } from "../turn/stop-turn.ts";
import type { GatewayLimits } from "./gateway-options.ts";
import type { Recovery } from "./recovery.ts";
import type { RoomElsewhere } from "./room-elsewhere.ts";

/** What a gateway is given, with the defaults of its options, and what belongs to its whole life. */
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
  /** How long an approval "from now on" holds. */
  readonly alwaysGrantMs: number;
  readonly lateAges: LateAges;
  readonly reattachGraceMs: number;
  readonly parkAfterMs: number;
  readonly availabilityGraceMs: number;
  /** For requests that do not say. */
  readonly onDisconnect: "wait" | "deny";
  readonly whenUnavailable: "wait" | "refuse";
  readonly hasPerson: () => Promise<boolean>;
  readonly people: PeoplePort;
  readonly responders: ResponderConfig;
  readonly folderTrust: FolderTrustPort;
  readonly notifications: NotificationsPort;
  readonly callbacks: CallbacksPort;
  readonly limits: GatewayLimits;
  /** Where a person answers an interaction. */
  readonly toCardUrl: (interactionId: string) => string;
  readonly onToolLog: (entry: ToolLogEntry) => void;
  readonly onError: (error: unknown, where: string) => void;
  /** Work in the background that a close waits for. */
  readonly background: Outstanding;
  /** Aborts when the gateway begins to close. */
  readonly draining: AbortSignal;
}

/**
 * All parts of one gateway, put together in `compose.ts`. Only this folder knows the whole: everything else names the few
 * parts that it needs.
 */
export interface Core extends Settings {
  readonly sessions: LiveSessions;
  readonly log: SessionLog;
  readonly knownGrants: KnownGrants;
  readonly waiters: Waiters;
  readonly unwritten: Unwritten;
  readonly unclaimed: Unclaimed;
  readonly deadlines: Deadlines;
  /** When late interactions leave the overview. */
  readonly leaving: Deadlines;
  /** When permission modes that a person has allowed for some time end. */
  readonly modeEnds: Deadlines;
  /** When it is looked whether somebody has to be asked again who has handed over. */
  readonly handingBack: Deadlines;
  readonly parking: Parking;
  readonly undoWindows: UndoWindows;
  readonly presence: Presence;
  readonly availability: Places;
  readonly overview: OverviewFeed;
  readonly settle: SettleInteraction;
  /** Hand-overs of all interactions. */
  readonly handingOver: Serial;
  readonly withdraw: WithdrawInteraction;
  readonly stopTurn: StopTurn;
  readonly hold: Hold;
  readonly recovery: Recovery;
  readonly roomElsewhere: RoomElsewhere;
  /** Resolves once it is known what the gateway before this one has left in the session. */
  readonly recovered: (sessionId: string) => Promise<void>;
  /** The same; undefined when it is known. */
  readonly recovering: (sessionId: string) => Promise<void> | undefined;
  /** Answers every pending interaction that a grant with this hash covers. */
  readonly answerWaiting: (grantHash: string) => void;
  /** Answers one interaction, if a grant covers it. */
  readonly answerByGrant: (interactionId: string) => void;
  /** What an agent gets for one turn. */
  readonly createContext: (live: LiveSession, turn: RunningTurn) => TurnContext;
  /** Runs the session's queue if it does not run already. */
  readonly kickQueue: (sessionId: string) => void;
  /** Runs a turn that no message began, in a session in which nothing runs. */
  readonly driveFirst: (live: LiveSession, first: () => Promise<void>) => void;
  readonly driveAlone: (live: LiveSession, run: () => Promise<void>) => void;
}
