import { drainingError, type GatewayApi, type Seen, type Viewer } from "@holdpoint/protocol";

import { followAsk } from "../asks/fetch-ask.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { Pairings } from "../credentials/pairings.ts";
import { type AskedElsewhere, overrule } from "../interaction/overrule.ts";
import type { Holder } from "../ports/credential-store.ts";
import { endLimitedModes } from "../session/end-limited-modes.ts";
import { type Pruned, type PruneOptions, pruneSessions } from "../session/prune-sessions.ts";
import { readEventTexts } from "../session/read-events.ts";
import { followOverview } from "../stream/follow-overview.ts";
import { followSession } from "../stream/follow-session.ts";
import { askUser } from "../tools/built-in/ask-user.ts";
import { createGatewayTools, type GatewayTools } from "../tools/gateway-tools.ts";
import { recordExternalCall, type ExternalCall } from "../tools/record-external-call.ts";
import { ToolRegistry } from "../tools/tool-registry.ts";
import { attachTurn, type LeftTurn } from "../turn/attach-turn.ts";
import { assertMayCall, assertMayFollow, assertReaches } from "./access.ts";
import { closeGateway } from "./close-gateway.ts";
import { compose } from "./compose.ts";
import type { Core } from "./core.ts";
import { ensureSession, type NamedSession } from "./ensure-session.ts";
import { endExternalAgent, trackExternalTurn } from "./external-turn.ts";
import { type GatewayFigures, readFigures } from "./gateway-figures.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { guard, guardStream } from "./guard.ts";
import { createOperations } from "./operations.ts";
import { Readiness } from "./readiness.ts";
import { repair } from "./repair.ts";

const CLOSE_TIMEOUT_MS = 4000;

export interface CloseOptions {
  /** Default 4 seconds. */
  readonly timeoutMs?: number;
}

/**
 * A running gateway. The store and the adapters passed to `openGateway` belong to the caller, who disposes them after
 * the gateway. Disposing the gateway closes it.
 */
export interface Gateway extends GatewayApi, AsyncDisposable {
  /** Creates the session of an agent that was started elsewhere, unless a session with this id exists. */
  ensureSession(session: NamedSession): Promise<void>;
  /**
   * Shows an agent that was started elsewhere as working until the signal aborts, and creates its session first.
   * Resolves after that.
   */
  trackExternalTurn(
    session: NamedSession,
    options: { readonly signal: AbortSignal },
  ): Promise<void>;
  /**
   * Records that the program of an agent that was started elsewhere has ended. Rejects with `NOT_FOUND` when it has no
   * session.
   */
  endExternalAgent(sessionId: string): Promise<void>;
  /** Records that a call denied here was allowed elsewhere and has run. */
  overrule(call: AskedElsewhere): Promise<void>;
  /** Says how a call has run that was asked about here, and that runs where its agent was started. */
  recordExternalCall(run: ExternalCall): Promise<void>;
  readonly tools: GatewayTools;
  /**
   * Whether the store takes writes. Can be called at any rate: the store is checked at most every two seconds. Never
   * rejects.
   */
  takesWrites(): Promise<boolean>;
  /** Numbers for monitoring. Rejects when the store cannot be read. */
  readFigures(): Promise<GatewayFigures>;
  /**
   * Deletes sessions that are too old or too large, and nothing that someone may still need. Rejects with `DRAINING`
   * once the gateway closes.
   */
  prune(options: PruneOptions): Promise<Pruned>;
  /** True from the moment the gateway begins to close. It takes no new work then. */
  readonly draining: boolean;
  /** Credentials of a session are revoked with it. */
  readonly credentials: Credentials;
  /** Short codes that sign in further devices of a person. */
  readonly pairings: Pairings;
  /** Whether a page of this device is in view. */
  isLooking(deviceId: string): boolean;
  /**
   * The viewer that a credential stands for, with the role that the config currently gives the person. `undefined`
   * without a role.
   */
  viewerOf(holder: Pick<Holder, "personId" | "signIn">): Viewer | undefined;
  /** Who sees a session; `undefined`: everyone. */
  seenByOf(sessionId: string): Seen["seenBy"];
  /** Runs the callback whenever the people who see a session change. */
  onShared(run: (sessionId: string) => void): Disposable;
  /**
   * Ends streams, agents and waits within the timeout. Pending interactions can still be answered after the next start.
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Repairs the state that a previous gateway left, then runs the queued messages. Rejects with `StoreError` when the
 * store fails, and with `TypeError` for an unusable tool.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const draining = new AbortController();
  const core = compose(options, draining.signal);
  const tools = new ToolRegistry([askUser], options.tools ?? []);
  try {
    await core.overview.begin(core.store);
    // Before any agent continues.
    const modeEndMs = await endLimitedModes(core, core.clock.now());
    if (modeEndMs !== undefined) core.modeEnds.consider(modeEndMs);
    const { live, resuming } = await repair(core);
    await core.knownGrants.load(core.store, core.clock.now());
    for (const [sessionId, turn] of live) goOn(core, sessionId, turn);
    const queued = await core.store.listQueuedSessions();
    for (const sessionId of new Set([...resuming, ...queued])) core.kickQueue(sessionId);
    void core.background.track(core.recovery.run());
    // In the background: due interactions only stay listed for a moment longer.
    core.leaving.look();
    watchHandOvers(core);
  } catch (error: unknown) {
    // The caller has no gateway to close.
    draining.abort();
    await closeGateway(core, CLOSE_TIMEOUT_MS);
    throw error;
  }
  return createFacade(
    core,
    draining,
    createGatewayTools(core, tools, (result) => guard(core, () => result)),
  );
}

/** Checks reassigned requests at the start, and whenever someone may have lost the right to answer one. */
function watchHandOvers({ credentials, handingBack }: Core): void {
  credentials.onConfirmed(() => handingBack.look());
  credentials.onRevoked(async () => handingBack.look());
  handingBack.look();
}

/** Continues a turn whose agent lives in its host. */
function goOn(core: Core, sessionId: string, turn: LeftTurn): void {
  const live = core.sessions.acquire(sessionId);
  core.driveFirst(live, () => attachTurn(core, live, turn));
  core.sessions.release(live);
}

function createFacade(core: Core, closing: AbortController, tools: GatewayTools): Gateway {
  let closed: Promise<void> | undefined;
  const close = ({ timeoutMs = CLOSE_TIMEOUT_MS }: CloseOptions = {}): Promise<void> => {
    closing.abort();
    closed ??= closeGateway(core, timeoutMs);
    return closed;
  };
  const readiness = new Readiness(core);
  return {
    epoch: core.store.epoch,
    tools,
    get draining() {
      return closing.signal.aborted;
    },
    takesWrites: () => readiness.takesWrites(),
    prune: (options) =>
      guard(core, () => {
        if (closing.signal.aborted) throw drainingError();
        return pruneSessions(core, options);
      }),
    readFigures: () => guard(core, () => readFigures(core)),
    credentials: core.credentials,
    pairings: core.pairings,
    ensureSession: (session) => guard(core, () => ensureSession(core, session)),
    trackExternalTurn: (session, work) => guard(core, () => trackExternalTurn(core, session, work)),
    endExternalAgent: (sessionId) => guard(core, () => endExternalAgent(core, sessionId)),
    overrule: (call) => guard(core, () => overrule(core, call)),
    recordExternalCall: (run) => guard(core, () => recordExternalCall(core, run)),
    isLooking: (deviceId) => core.presence.isLooking(deviceId),
    viewerOf: (holder) => viewerOf(core, holder),
    seenByOf: (sessionId) => core.overview.seenByOf(sessionId),
    onShared: (run) => core.overview.onShared(run),
    close,
    [Symbol.asyncDispose]: () => close(),
    ...createOperations(core, readiness),
    ...createStreams(core),
  };
}

function viewerOf(
  { people }: Pick<Core, "people">,
  { personId, signIn }: Pick<Holder, "personId" | "signIn">,
): Viewer | undefined {
  if (personId === undefined && !signIn) return { role: "owner" };
  const role = signIn && people.roleOf(signIn);
  return role && { role, personId, signIn };
}

function createStreams(
  core: Core,
): Pick<
  GatewayApi,
  | "announceClient"
  | "announceLooking"
  | "followAsk"
  | "followOverview"
  | "followSession"
  | "readEventTexts"
> {
  return {
    readEventTexts: (caller, sessionId, query) =>
      guard(core, async () => {
        assertMayCall(core, caller, "readEvents");
        await assertReaches(core, caller, "readEvents", sessionId);
        return readEventTexts(core.store, sessionId, query);
      }),
    followSession: (caller, sessionId, cursor, options) =>
      guardStream(core, () => {
        assertMayFollow(caller);
        return followSession(core, caller, { sessionId, cursor }, options);
      }),
    followAsk: (caller, interactionId, options) =>
      guardStream(core, () => {
        assertMayCall(core, caller, "getAsk");
        return followAsk(core, caller, interactionId, options);
      }),
    followOverview: (caller, options) =>
      guardStream(core, () => {
        assertMayFollow(caller);
        return followOverview(core, caller, options);
      }),
    announceClient(caller, options): void {
      // Agents cannot wait for a client that can only read.
      if (caller.principal === "person" && caller.scope !== "read" && caller.role !== "viewer") {
        core.presence.announce(caller, options);
      }
    },
    announceLooking(caller, options): void {
      if (caller.principal === "person") core.presence.look(caller, options);
    },
  };
}
