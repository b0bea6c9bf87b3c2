import {
  ProtocolError,
  type ApproveBody,
  type Caller,
  type CreateSessionBody,
  type Cursor,
  type DenyBody,
  type FollowOptions,
  type GatewayApi,
  type ListQuery,
  type RespondBody,
  type SendMessageBody,
  type SerializedFrame,
  type SubmitAnswersBody,
  type UpdateSessionBody,
} from "@holdpoint/protocol";

import { listGrants } from "../grants/list-grants.ts";
import { revokeGrant } from "../grants/revoke-grant.ts";
import { getInteraction, listInteractions, type InboxQuery } from "../interaction/inbox.ts";
import { approveTool, denyTool, submitAnswers } from "../interaction/respond-by-tool-call.ts";
import { respond } from "../interaction/respond.ts";
import { toProtocolError } from "../lib/errors.ts";
import { readEvents, readEventTexts, type EventPageRequest } from "../session/read-events.ts";
import {
  createSession,
  deleteSession,
  getSession,
  listAgents,
  listSessions,
  stopRunningTurn,
} from "../session/sessions.ts";
import { updateSession } from "../session/update-session.ts";
import { followOverview } from "../stream/follow-overview.ts";
import { followSession } from "../stream/follow-session.ts";
import { askUser } from "../tools/built-in/ask-user.ts";
import { createGatewayTools, type GatewayTools } from "../tools/gateway-tools.ts";
import { ToolRegistry } from "../tools/tool-registry.ts";
import { listQueue, removeQueuedMessage, sendMessage } from "../turn/turn-queue.ts";
import { assertMayChange, assertMayRead, assertPerson } from "./access.ts";
import { closeGateway } from "./close-gateway.ts";
import type { Core } from "./core.ts";
import { createCore } from "./create-core.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { repair } from "./repair.ts";

const closeTimeoutMs = 4000;

export interface CloseOptions {
  readonly reason: "draining";
  /** Default 4 seconds. */
  readonly timeoutMs?: number;
}

/**
 * A running gateway. The store and the adapters that it was opened with stay their owner's: dispose them after it.
 * Disposing it is closing it.
 */
export interface Gateway extends GatewayApi, AsyncDisposable {
  readonly tools: GatewayTools;
  /** True from the moment it begins to close; it takes no new work then. */
  readonly draining: boolean;
  /**
   * Has this run before a session is deleted, whichever way it was asked for, such as to revoke what gives access to it. The
   * deletion waits for it and fails with it.
   */
  beforeDeletion(run: (sessionId: string) => Promise<void>): Disposable;
  /** Ends streams, agents and waits within the timeout. What is pending can still be answered after the next start. */
  close(options: CloseOptions): Promise<void>;
}

/**
 * Repairs what the gateway before left unfinished, then goes on with what is queued. Rejects with `StoreError` when the
 * store fails, with `TypeError` for a tool that cannot be used.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const draining = new AbortController();
  const core = createCore(options, draining.signal);
  const tools = new ToolRegistry([askUser], options.tools ?? []);
  try {
    core.overview.begin(await core.store.countAnswerable());
    await repair(core);
    const queued = await core.store.listQueue();
    for (const sessionId of new Set(queued.map((message) => message.sessionId))) {
      core.kickQueue(sessionId);
    }
  } catch (error: unknown) {
    // Nobody gets it, so nobody else could close it.
    draining.abort();
    await closeGateway(core, closeTimeoutMs);
    throw error;
  }
  return createFacade(
    core,
    draining,
    createGatewayTools(core, tools, (result) => guard(core, () => result)),
  );
}

function createFacade(core: Core, closing: AbortController, tools: GatewayTools): Gateway {
  let closed: Promise<void> | undefined;
  const close = ({ timeoutMs = closeTimeoutMs }: CloseOptions): Promise<void> => {
    closing.abort();
    closed ??= closeGateway(core, timeoutMs);
    return closed;
  };
  return {
    epoch: core.store.epoch,
    tools,
    get draining() {
      return closing.signal.aborted;
    },
    beforeDeletion(run) {
      core.beforeDeletion.add(run);
      return { [Symbol.dispose]: () => void core.beforeDeletion.delete(run) };
    },
    close,
    [Symbol.asyncDispose]: () => close({ reason: "draining" }),
    ...sessionCalls(core),
    ...interactionCalls(core),
    ...grantCalls(core),
    ...reads(core),
    ...streams(core),
  };
}

function sessionCalls(core: Core) {
  return {
    listAgents: (caller: Caller) =>
      guard(core, () => {
        assertPerson(caller);
        return listAgents(core);
      }),
    createSession: (caller: Caller, body: CreateSessionBody) =>
      guard(core, () => createSession(core, caller, body)),
    updateSession: (caller: Caller, sessionId: string, body: UpdateSessionBody) =>
      guard(core, () => updateSession(core, caller, sessionId, body)),
    deleteSession: (caller: Caller, sessionId: string) =>
      guard(core, () => deleteSession(core, caller, sessionId)),
    sendMessage: (caller: Caller, sessionId: string, body: SendMessageBody) =>
      guard(core, () => sendMessage(core, caller, sessionId, body)),
    removeQueuedMessage: (caller: Caller, sessionId: string, messageId: string) =>
      guard(core, () => removeQueuedMessage(core, caller, { sessionId, messageId })),
    stopTurn: (caller: Caller, sessionId: string) =>
      guard(core, () => stopRunningTurn(core, caller, sessionId)),
  };
}

function interactionCalls(core: Core) {
  return {
    respond: (caller: Caller, interactionId: string, body: RespondBody) =>
      guard(core, () => respond(core, caller, interactionId, body)),
    submitAnswers: (caller: Caller, sessionId: string, body: SubmitAnswersBody) =>
      guard(core, () => submitAnswers(core, caller, sessionId, body)),
    approveTool: (caller: Caller, sessionId: string, body: ApproveBody) =>
      guard(core, () => approveTool(core, caller, sessionId, body)),
    denyTool: (caller: Caller, sessionId: string, body: DenyBody) =>
      guard(core, () => denyTool(core, caller, sessionId, body)),
    listInteractions: (caller: Caller, query: InboxQuery) =>
      guard(core, () => {
        assertPerson(caller);
        return listInteractions(core, query);
      }),
    getInteraction: (caller: Caller, interactionId: string) =>
      guard(core, async () => {
        const interaction = await getInteraction(core, interactionId);
        assertMayRead(caller, interaction.sessionId);
        return interaction;
      }),
    setInteractionMode: (caller: Caller, clientId: string, enabled: boolean) =>
      guard(core, async () => {
        assertMayChange(core, caller);
        core.presence.setEnabled(clientId, enabled);
      }),
  };
}

function grantCalls(core: Core) {
  return {
    listGrants: (caller: Caller, query: ListQuery) =>
      guard(core, () => {
        assertPerson(caller);
        return listGrants(core, query);
      }),
    revokeGrant: (caller: Caller, grantId: string) =>
      guard(core, () => revokeGrant(core, caller, grantId)),
  };
}

function reads(core: Core) {
  const ofSession = <TResult>(
    caller: Caller,
    sessionId: string,
    read: () => Promise<TResult>,
  ): Promise<TResult> =>
    guard(core, () => {
      assertMayRead(caller, sessionId);
      return read();
    });
  return {
    listSessions: (caller: Caller, query: { cursor?: string | undefined; limit: number }) =>
      guard(core, () => {
        assertPerson(caller);
        return listSessions(core, query);
      }),
    getSession: (caller: Caller, sessionId: string) =>
      ofSession(caller, sessionId, () => getSession(core, sessionId)),
    listQueue: (caller: Caller, sessionId: string) =>
      ofSession(caller, sessionId, () => listQueue(core, sessionId)),
    readEvents: (caller: Caller, sessionId: string, query: EventPageRequest) =>
      ofSession(caller, sessionId, () => readEvents(core, sessionId, query)),
    readEventTexts: (caller: Caller, sessionId: string, query: EventPageRequest) =>
      ofSession(caller, sessionId, () => readEventTexts(core, sessionId, query)),
  };
}

function streams(core: Core) {
  return {
    followSession: (caller: Caller, sessionId: string, cursor: Cursor, options: FollowOptions) =>
      guardStream(core, () => {
        assertMayRead(caller, sessionId);
        return followSession(core, sessionId, cursor, options);
      }),
    followOverview: (caller: Caller, options: FollowOptions) =>
      guardStream(core, () => {
        assertPerson(caller);
        return followOverview(core, options);
      }),
    announceClient(caller: Caller, options: FollowOptions): void {
      if (caller.principal === "person") core.presence.announce(caller, options);
    },
  };
}

/** Every failure leaves as a `ProtocolError`; what nobody expected is reported and says nothing. */
async function guard<TResult>(core: Core, call: () => Promise<TResult>): Promise<TResult> {
  try {
    return await call();
  } catch (error: unknown) {
    throw translate(core, error);
  }
}

async function* guardStream(
  core: Core,
  open: () => AsyncIterable<readonly SerializedFrame[]>,
): AsyncIterable<readonly SerializedFrame[]> {
  try {
    yield* open();
  } catch (error: unknown) {
    throw translate(core, error);
  }
}

function translate(core: Core, error: unknown): ProtocolError {
  const known = toProtocolError(error);
  if (!known) core.onError(error, "call");
  return known ?? new ProtocolError("INTERNAL", "Something went wrong.", {}, { cause: error });
}
