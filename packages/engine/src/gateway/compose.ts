import { Credentials } from "../credentials/credentials.ts";
import { Pairings } from "../credentials/pairings.ts";
import { KnownGrants } from "../grants/known-grants.ts";
import { createMemorySpentGrants, sealGrants } from "../grants/seal-grants.ts";
import { answerByGrant, answerWaiting } from "../interaction/answer-by-grant.ts";
import { Deadlines, expireDue } from "../interaction/deadlines.ts";
import { handBack } from "../interaction/hand-back.ts";
import { createHold } from "../interaction/hold.ts";
import { Parking } from "../interaction/parking.ts";
import { pruneOverview } from "../interaction/prune-overview.ts";
import { createSettlement } from "../interaction/settle.ts";
import { UnclaimedInteractions } from "../interaction/unclaimed-interactions.ts";
import { UndoWindows } from "../interaction/undo-window.ts";
import { UnwrittenInteractions } from "../interaction/unwritten-interactions.ts";
import { Waiters } from "../interaction/waiters.ts";
import { createWithdrawal, withdrawAbandoned } from "../interaction/withdraw.ts";
import { BackgroundTasks } from "../lib/background-tasks.ts";
import { createSerial } from "../lib/serial.ts";
import { createMemoryCredentialStore } from "../memory-store/memory-credential-store.ts";
import { NO_CALLBACKS } from "../ports/callbacks.ts";
import { NO_FILES } from "../ports/file-listing.ts";
import { NO_FOLDER } from "../ports/folder-trust.ts";
import { NO_NOTIFICATIONS } from "../ports/notifications.ts";
import { NO_PEOPLE } from "../ports/people.ts";
import type { Store } from "../ports/store.ts";
import { Availabilities } from "../presence/availabilities.ts";
import { Presence } from "../presence/presence.ts";
import { endLimitedModes } from "../session/end-limited-modes.ts";
import type { RestingStatus } from "../session/live-session.ts";
import { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { type Closed, SessionLog } from "../session/session-log.ts";
import { OverviewFeed } from "../stream/overview-feed.ts";
import { parkTurn } from "../turn/park-turn.ts";
import { resumeTurn } from "../turn/resume-turn.ts";
import { runTurn } from "../turn/run-turn.ts";
import { createTurnStop } from "../turn/stop-turn.ts";
import { createTurnContext } from "../turn/turn-context.ts";
import { TurnQueue, type TurnQueueParts } from "../turn/turn-queue.ts";
import type { Core, Settings } from "./core.ts";
import { ExternalSessionLimit } from "./external-session-limit.ts";
import type { GatewayLimits, GatewayOptions } from "./gateway-options.ts";
import { Recovery } from "./recovery.ts";
import { giveUpUnclaimed } from "./repair.ts";

/** Requests never time out, unless a tool or the config sets a limit. */
const DEFAULT_HOLD_TIMEOUT_MS = Infinity;
const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_ALWAYS_DAYS = 30;
const DEFAULT_LATE_DAYS = { expired: 7, orphaned: 30 };
const DEFAULT_REATTACH_GRACE_MS = 10_000;
const DEFAULT_AVAILABILITY_GRACE_MS = 10_000;
const DEFAULT_PARK_AFTER_MS = 2 * 60 * 1000;

const DEFAULT_LIMITS: GatewayLimits = {
  pendingPerSession: 100,
  openPerCreator: 2000,
  pendingInAll: 10_000,
  asksPerSecondPerSession: 20,
  requestBytes: 256 * 1024,
  queuedPerSession: 100,
  sessionsElsewhere: 1000,
};

/**
 * Puts the parts of a gateway together without starting anything. Parts that need each other are bound late: the
 * functions below are called only once all parts exist.
 */
export function compose(options: GatewayOptions, draining: AbortSignal): Core {
  const settings = settingsOf(options, draining);
  const shared = { ...settings, ...composeLog(options, settings, () => core) };
  const people = composePresence(shared, () => leaveAlone(core));
  const waits = { ...composeWaits(settings, () => core), ...composeEnds(settings, () => core) };
  const settle = createSettlement({
    ...shared,
    ...waits,
    kickQueue: (sessionId) => core.kickQueue(sessionId),
    answerWaiting: (grantHash) => core.answerWaiting(grantHash),
  });
  const withdraw = createWithdrawal({ ...shared, ...waits, settle });
  const stopTurn = createTurnStop({ ...shared, withdraw });
  const hold = createHold({
    ...shared,
    ...waits,
    settle,
    withdraw,
    stopTurn,
    considerParking: (turn, interactionId) => considerParking(core, turn, interactionId),
    watchClients: (sessionId, interactionId) =>
      void people.availability.of(sessionId, interactionId),
    answerByGrant: (interactionId) => core.answerByGrant(interactionId),
  });
  const queue = composeQueue(shared, () => core);
  const recovery = new Recovery(() => core);
  const roomElsewhere = new ExternalSessionLimit(() => core);
  const core: Core = {
    ...shared,
    ...people,
    ...waits,
    settle,
    handingOver: createSerial(),
    withdraw,
    stopTurn,
    hold,
    recovery,
    roomElsewhere,
    recovered: (sessionId) => recovery.done(sessionId),
    recovering: (sessionId) => (recovery.has(sessionId) ? recovery.done(sessionId) : undefined),
    kickQueue: (sessionId) => queue.kick(sessionId),
    createContext: (live, turn) => createTurnContext(core, live, turn),
    driveFirst: (live, first) => queue.driveFirst(live, first),
    driveAlone: (live, run) => queue.driveAlone(live, run),
    answerWaiting: (grantHash) => answerWaiting(core, grantHash),
    answerByGrant: (interactionId) => answerByGrant(core, interactionId),
  };
  return core;
}

/** The log of all sessions, with the parts that are notified of its writes. */
function composeLog(
  { onInteraction }: Pick<GatewayOptions, "onInteraction">,
  { store, clock, limits }: Settings,
  core: () => Core,
): Pick<Core, "knownGrants" | "log" | "overview" | "sessions"> {
  const creatorOf = (id: string) => sessions.peek(id)?.turn?.createdBy;
  const overview: OverviewFeed = new OverviewFeed(creatorOf, { clock, onInteraction });
  const sessions = new LiveSessions({
    asksPerSecond: limits.asksPerSecondPerSession,
    restingStatus: (sessionId) => restingStatusOf(core(), sessionId),
    onStatus: (sessionId, status) => overview.statusChanged(sessionId, status),
  });
  const knownGrants = new KnownGrants();
  const log = new SessionLog({
    store,
    sessions,
    overview,
    beforeWrite: ({ grants = [] }) => knownGrants.willWrite(grants),
    onClosed: (closed) => considerLeaving(core(), closed),
  });
  return { overview, sessions, knownGrants, log };
}

/**
 * The status of a session without a turn. After a restart, a session whose agent was waiting is not idle until its
 * recovery is done.
 */
function restingStatusOf(
  { overview, recovery, unclaimed, undoWindows }: Core,
  sessionId: string,
): RestingStatus {
  if (overview.isParked(sessionId) || undoWindows.hasParked(sessionId)) return "parked";
  return recovery.has(sessionId) || unclaimed.hasOf(sessionId) ? "waiting" : "idle";
}

/** The queue that runs messages and restarts agents for answers. */
function composeQueue(
  shared: Omit<TurnQueueParts, "recovered" | "isParked" | "isUndoable" | "runTurn" | "resumeTurn"> &
    Pick<Core, "overview">,
  core: () => Core,
): TurnQueue {
  return new TurnQueue({
    ...shared,
    recovered: (sessionId) => core().recovery.done(sessionId),
    isParked: (sessionId) => shared.overview.isParked(sessionId),
    isUndoable: (sessionId) => core().undoWindows.hasOf(sessionId),
    runTurn: (live, message) => runTurn(core(), live, message),
    resumeTurn: (live, answered) => resumeTurn(core(), live, answered),
  });
}

function settingsOf(options: GatewayOptions, draining: AbortSignal): Settings {
  return {
    store: storeOf(options),
    credentials: new Credentials({
      store: options.credentials ?? createMemoryCredentialStore(),
      key: options.credentialKey,
      clock: options.clock,
      ids: options.ids,
    }),
    pairings: new Pairings(options),
    clock: options.clock,
    ids: options.ids,
    agents: options.agents,
    defaultCwd: options.defaultCwd,
    refuseCwd: options.refuseCwd ?? (async () => undefined),
    listFiles: options.listFiles ?? NO_FILES,
    ...timesOf(options),
    alwaysGrantMs: (options.grants?.alwaysDays ?? DEFAULT_ALWAYS_DAYS) * DAY_MS,
    ...peopleOf(options),
    folderTrust: options.folderTrust ?? NO_FOLDER,
    notifications: options.notifications ?? NO_NOTIFICATIONS,
    callbacks: options.callbacks ?? NO_CALLBACKS,
    toCardUrl: options.toCardUrl ?? ((interactionId) => `/i/${interactionId}`),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    onToolLog: options.onToolLog ?? (() => undefined),
    onError: options.onError ?? (() => undefined),
    background: new BackgroundTasks(),
    draining,
  };
}

/** The store. With a grant key, its grants are sealed so that no one else can make one. */
function storeOf({ store, grants = {}, clock, onError }: GatewayOptions): Store {
  if (grants.key === undefined) return store;
  return sealGrants(store, {
    key: grants.key,
    spent: grants.spent ?? createMemorySpentGrants(),
    now: () => clock.now(),
    onError: onError ?? (() => undefined),
  });
}

/** Settings for who may answer, and for times when no one is available. */
function peopleOf(
  options: GatewayOptions,
): Pick<Settings, "hasPerson" | "onDisconnect" | "people" | "responders" | "whenUnavailable"> {
  return {
    onDisconnect: options.onDisconnect ?? "wait",
    whenUnavailable: options.availability ?? "wait",
    hasPerson: options.hasPerson ?? (async () => true),
    people: options.people ?? NO_PEOPLE,
    responders: options.responders ?? {},
  };
}

function timesOf(
  options: GatewayOptions,
): Pick<
  Settings,
  "lateAges" | "holdTimeoutMs" | "parkAfterMs" | "reattachGraceMs" | "availabilityGraceMs"
> {
  return {
    lateAges: {
      expired: (options.overview?.expiredDays ?? DEFAULT_LATE_DAYS.expired) * DAY_MS,
      orphaned: (options.overview?.orphanedDays ?? DEFAULT_LATE_DAYS.orphaned) * DAY_MS,
    },
    holdTimeoutMs: options.holdTimeoutMs ?? DEFAULT_HOLD_TIMEOUT_MS,
    parkAfterMs: options.parkAfterMs ?? DEFAULT_PARK_AFTER_MS,
    reattachGraceMs: options.reattachGraceMs ?? DEFAULT_REATTACH_GRACE_MS,
    availabilityGraceMs: options.availabilityGraceMs ?? DEFAULT_AVAILABILITY_GRACE_MS,
  };
}

/** Connected clients. `onAllLeft` is called when no client that may answer has been connected for the grace period. */
function composePresence(
  parts: Pick<Core, "clock" | "availabilityGraceMs" | "overview" | "sessions" | "notifications">,
  onAllLeft: () => void,
): Pick<Core, "presence" | "availability"> {
  const { clock, availabilityGraceMs: graceMs, overview, sessions, notifications } = parts;
  const presence: Presence = new Presence({
    onClients: () => availability.presenceChanged(),
    onChange: () => {
      overview.changes.notify();
      for (const live of sessions.all()) live.changes.notify();
    },
  });
  const availability: Availabilities = new Availabilities({
    clock,
    graceMs,
    /** People who are notified count like connected ones, since they can come and answer. */
    isAnswerable: (seen) => presence.mayBeAnswered(seen) || notifications.reachesSomebody(seen),
    seenByOf: (sessionId) => overview.seenByOf(sessionId),
    namedOf: (interactionId) => overview.namedOf(interactionId),
    isLive: (sessionId) => sessions.peek(sessionId)?.turn !== undefined,
    onAllLeft,
  });
  notifications.onChange(() => availability.presenceChanged());
  overview.onShared(() => availability.presenceChanged());
  availability.presenceChanged();
  return { presence, availability };
}

/** Skips agents that call from elsewhere, which cannot be ended, and agents that cannot be restarted at a tool call. */
function considerParking(
  { agents, parking }: Core,
  { agent, startedBy }: RunningTurn,
  interactionId: string,
): void {
  if (startedBy !== "call" && agents.get(agent)?.canPark) parking.begin(interactionId);
}

/** Schedules a closed interaction to leave the overview. */
function considerLeaving({ leaving, lateAges }: Core, { status, closedAtMs }: Closed): void {
  leaving.consider(closedAtMs + lateAges[status]);
}

/** Whether a client that may answer the interaction is connected, or was a moment ago. */
function isAvailable({ availability, waiters }: Core, interactionId: string): boolean {
  const sessionId = waiters.sessionOf(interactionId);
  return sessionId !== undefined && availability.of(sessionId, interactionId).available;
}

/** Called when some interaction has had no client that may answer it for the grace period. */
function leaveAlone(core: Core): void {
  withdrawAbandoned({ ...core, isAvailable: (id) => isAvailable(core, id) });
  core.parking.hurry();
}

/** The waits of this process and those left by a previous gateway, with deadlines, parking and undo windows. */
function composeWaits(
  { clock, reattachGraceMs: graceMs, parkAfterMs, availabilityGraceMs, onError }: Settings,
  core: () => Core,
): Pick<Core, "waiters" | "unwritten" | "unclaimed" | "deadlines" | "parking" | "undoWindows"> {
  const deadlines = new Deadlines({
    clock,
    sweep: (nowMs) => expireDue(core(), nowMs),
    onError: (error) => onError(error, "deadlines"),
  });
  /** Deadlines are needed only while something waits. */
  const onEmpty = (): void => {
    if (waiters.size === 0 && unclaimed.size === 0) deadlines.disarm();
  };
  const waiters: Waiters = new Waiters({ onEmpty });
  const unclaimed: UnclaimedInteractions = new UnclaimedInteractions({
    clock,
    graceMs,
    giveUp: (interactionId) => giveUpUnclaimed(core(), interactionId),
    onEmpty,
    onLeft: (sessionId) => {
      core().sessions.refreshStatus(sessionId);
      core().overview.sessionChanged(sessionId);
    },
    onError: (error) => onError(error, "unclaimed"),
  });
  const parking = new Parking({
    clock,
    graceMs: parkAfterMs,
    absentGraceMs: availabilityGraceMs,
    isAvailable: (interactionId) => isAvailable(core(), interactionId),
    park: (interactionId) => parkTurn(core(), interactionId),
    onError: (error) => onError(error, "parking"),
  });
  const undoWindows = new UndoWindows({
    clock,
    onClosed: (sessionId) => {
      core().kickQueue(sessionId);
      core().sessions.refreshStatus(sessionId);
    },
  });
  return {
    waiters,
    unwritten: new UnwrittenInteractions(),
    unclaimed,
    deadlines,
    parking,
    undoWindows,
  };
}

/** Timers that take late interactions off the overview, end limited modes, and return reassigned requests. */
function composeEnds(
  { clock, onError }: Settings,
  core: () => Core,
): Pick<Core, "handingBack" | "leaving" | "modeEnds"> {
  const leaving = new Deadlines({
    clock,
    sweep: (nowMs) => pruneOverview(core(), nowMs),
    onError: (error) => onError(error, "overview"),
  });
  const modeEnds = new Deadlines({
    clock,
    sweep: (nowMs) => endLimitedModes(core(), nowMs),
    onError: (error) => onError(error, "limited modes"),
  });
  const handingBack = new Deadlines({
    clock,
    sweep: async () => {
      await core().background.track(handBack(core()));
      return undefined;
    },
    onError: (error) => onError(error, "hand-overs"),
  });
  return { handingBack, leaving, modeEnds };
}
