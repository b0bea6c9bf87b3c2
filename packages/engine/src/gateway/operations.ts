import {
  OPERATION_NAMES,
  OPERATIONS,
  type Caller,
  type GatewayApi,
  type GatewayArguments,
  type OperationName,
  type ResultOf,
  sightOf,
} from "@holdpoint/protocol";

import { commentOnAsk } from "../asks/comment-on-ask.ts";
import { createAsk } from "../asks/create-ask.ts";
import { fetchAsk } from "../asks/fetch-ask.ts";
import { withdrawAsk, withdrawAsksOf } from "../asks/withdraw-ask.ts";
import {
  holderOf,
  listAgentTokens,
  listDevices,
  renameDevice,
  revokeAgentToken,
  revokeDevice,
} from "../credentials/manage-credentials.ts";
import {
  createProgramToken,
  listProgramTokens,
  revokeProgramToken,
} from "../credentials/program-tokens.ts";
import { createRule } from "../grants/create-rule.ts";
import { listGrants, revokeGrant } from "../grants/grants.ts";
import { previewRule } from "../grants/preview-rule.ts";
import { dismissInteraction } from "../interaction/dismiss.ts";
import { handOver } from "../interaction/hand-over.ts";
import { listHistory, listHistoryNames } from "../interaction/history.ts";
import { getInteraction, listInteractions } from "../interaction/inbox.ts";
import { addComment, remind } from "../interaction/notes.ts";
import { approveTool, denyTool, submitAnswers } from "../interaction/respond-by-tool-call.ts";
import { respond } from "../interaction/respond.ts";
import { endSnooze, listSnoozes, snooze } from "../interaction/snoozes.ts";
import { undoResponse } from "../interaction/undo.ts";
import { toInstant } from "../lib/instant.ts";
import { toPerson } from "../lib/to-person.ts";
import { readAgentOffers, readFolderOffers } from "../session/agent-offers.ts";
import { assertMayChooseMode } from "../session/assert-may-choose-mode.ts";
import { readAttachment, uploadAttachment } from "../session/attachments.ts";
import { deleteSession } from "../session/delete-session.ts";
import { findFiles, findFolderFiles } from "../session/find-files.ts";
import { giveSession, listGroups } from "../session/give-session.ts";
import { readEvents } from "../session/read-events.ts";
import {
  createSession,
  getSession,
  listAgents,
  listSessions,
  type Origin,
} from "../session/sessions.ts";
import { updateSession } from "../session/update-session.ts";
import { listQueue, removeQueuedMessage, sendMessage } from "../turn/queued-messages.ts";
import { stopRunningTurn } from "../turn/stop-turn.ts";
import { assertMayCall, assertMayDecide, assertReaches } from "./access.ts";
import type { Core } from "./core.ts";
import { createAgentToken } from "./create-agent-token.ts";
import { guard } from "./guard.ts";
import type { Readiness } from "./readiness.ts";
import { whileStoreAnswers } from "./while-store-answers.ts";

interface Call {
  readonly core: Core;
  readonly caller: Caller;
}

type Handlers = {
  readonly [TName in OperationName]: (
    call: Call,
    ...input: GatewayArguments<TName>
  ) => Promise<ResultOf<TName>>;
};

/** The implementation of each operation, called after the access checks. */
const HANDLERS: Handlers = {
  listAgents: async ({ core }) => ({ items: await listAgents(core) }),
  listSessions: ({ core, caller }, query) => listSessions(core, query, sightOf(caller)),
  createSession: async ({ core, caller }, body) => {
    const { agent, permissionMode: mode } = body;
    await assertMayChooseMode(core, caller, { agent, mode });
    return createSession(core, body, {
      ...(caller.tokenId !== undefined && { createdBy: `credential ${caller.tokenId}` }),
      ...originOf(core, caller),
    });
  },
  listGroups: async ({ core, caller }) => ({ items: listGroups(core, caller) }),
  giveSession: ({ core, caller }, sessionId, { groups }) =>
    giveSession(core, caller, sessionId, groups),
  getSession: ({ core }, sessionId) => getSession(core, sessionId),
  updateSession: async ({ core, caller }, sessionId, body) => {
    const { agent } = await getSession(core, sessionId);
    await assertMayChooseMode(core, caller, { agent, mode: body.permissionMode });
    return updateSession(core, sessionId, body);
  },
  deleteSession: ({ core }, sessionId) => deleteSession(core, sessionId),
  listModels: async ({ core }, sessionId) => ({
    items: [...(await readAgentOffers(core, sessionId)).models],
  }),
  listCommands: async ({ core }, sessionId) => ({
    items: [...(await readAgentOffers(core, sessionId)).commands],
  }),
  listAgentCommands: async ({ core }, agent, query) => ({
    items: [...(await readFolderOffers(core, agent, query)).commands],
  }),
  findFolderFiles: ({ core }, query) => findFolderFiles(core, query),
  findFiles: ({ core }, sessionId, query) => findFiles(core, sessionId, query),
  uploadAttachment: ({ core }, sessionId, body) => uploadAttachment(core, sessionId, body),
  readAttachment: ({ core }, sessionId, attachmentId) =>
    readAttachment(core, sessionId, attachmentId),
  sendMessage: ({ core, caller }, sessionId, body) =>
    sendMessage(core, sessionId, body, caller.personId),
  listQueue: async ({ core }, sessionId) => ({ items: await listQueue(core.store, sessionId) }),
  removeQueuedMessage: ({ core }, sessionId, messageId) =>
    removeQueuedMessage(core, { sessionId, messageId }),
  stopTurn: ({ core }, sessionId) => stopRunningTurn(core, sessionId),
  readEvents: async ({ core }, sessionId, query) => ({
    ...(await readEvents(core.store, sessionId, query)),
    epoch: core.store.epoch,
  }),
  submitAnswers: ({ core, caller }, sessionId, body) =>
    submitAnswers(core, caller, sessionId, body),
  approveTool: ({ core, caller }, sessionId, body) => approveTool(core, caller, sessionId, body),
  denyTool: ({ core, caller }, sessionId, body) => denyTool(core, caller, sessionId, body),
  listInteractions: ({ core, caller }, query) =>
    listInteractions(core, { ...query, sight: sightOf(caller) }),
  listHistory: ({ core, caller }, query) => listHistory(core, query, sightOf(caller)),
  listHistoryNames: ({ core, caller }) => listHistoryNames(core, sightOf(caller)),
  getInteraction: ({ core }, interactionId) => getInteraction(core, interactionId),
  respond: ({ core, caller }, interactionId, body) => respond(core, caller, interactionId, body),
  undoResponse: async ({ core, caller }, interactionId, { answeredAt }) => {
    assertMayDecide(core, caller);
    const reopened = await undoResponse(core, caller, { interactionId, answeredAt });
    // The people it was reassigned to may no longer be able to answer.
    core.handingBack.look();
    return reopened;
  },
  dismissInteraction: async ({ core, caller }, interactionId) => {
    assertMayDecide(core, caller);
    return dismissInteraction(core, caller, interactionId);
  },
  addComment: ({ core, caller }, interactionId, body) =>
    addComment(core, caller, interactionId, body),
  handOver: async ({ core, caller }, interactionId, body) => {
    assertMayDecide(core, caller);
    const handed = await handOver(core, caller, interactionId, body);
    // The new people may have lost the right to answer at this very moment.
    core.handingBack.look();
    return handed;
  },
  remind: ({ core, caller }, interactionId) => remind(core, caller, interactionId),
  listSnoozes: async ({ core, caller }) => ({ items: await listSnoozes(core, caller) }),
  snoozeInteraction: ({ core, caller }, interactionId, { until }) =>
    snooze(core, caller, interactionId, until),
  endSnooze: ({ core, caller }, interactionId) => endSnooze(core, caller, interactionId),
  listGrants: ({ core, caller }, query) => listGrants(core, query, sightOf(caller)),
  revokeGrant: ({ core, caller }, grantId) => revokeGrant(core, caller, grantId),
  createRule: async ({ core, caller }, body) => {
    assertMayDecide(core, caller);
    return createRule(core, caller, body);
  },
  previewRule: ({ core }, draft) => previewRule(core, draft),
  setInteractionMode: async ({ core, caller }, clientId, { enabled }) =>
    core.presence.setEnabled(caller, clientId, enabled),
  getPerson: async ({ caller }) => toPerson(caller),
  listDevices: ({ core, caller }) => listDevices(core, caller),
  revokeDevice: ({ core, caller }, deviceId) => revokeDevice(core, caller, deviceId),
  renameDevice: ({ core, caller }, deviceId, { label }) =>
    renameDevice(core, caller, { deviceId, label }),
  createPairing: async ({ core, caller }) => {
    const { code, expiresAtMs } = core.pairings.create(await holderOf(core, caller));
    return { code, expiresAt: toInstant(expiresAtMs) };
  },
  createProgramToken: ({ core, caller }, body) => createProgramToken(core, caller, body),
  listProgramTokens: ({ core, caller }) => listProgramTokens(core, caller),
  revokeProgramToken: ({ core, caller }, tokenId) => revokeProgramToken(core, caller, tokenId),
  createAgentToken: ({ core, caller }, { label }) => createAgentToken(core, caller, label),
  listAgentTokens: ({ core, caller }) => listAgentTokens(core, caller),
  revokeAgentToken: async ({ core, caller }, tokenId) => {
    const { sessionId } = await revokeAgentToken(core, caller, tokenId);
    // No one could fetch the answers.
    if (sessionId !== undefined) await withdrawAsksOf(core, sessionId);
  },
  createAsk: ({ core, caller }, body) => createAsk(core, caller, body),
  getAsk: ({ core, caller }, interactionId) => fetchAsk(core, caller, interactionId),
  addAskComment: ({ core, caller }, interactionId, body) =>
    commentOnAsk(core, caller, interactionId, body),
  withdrawAsk: ({ core, caller }, interactionId) => withdrawAsk(core, caller, interactionId),
  getFolderTrust: ({ core }) => core.folderTrust.read(),
  trustFolder: async ({ core, caller }, body) => {
    assertMayDecide(core, caller);
    return core.folderTrust.trust(body);
  },
  getNotifications: ({ core, caller }) => core.notifications.read(caller),
  subscribeNotifications: ({ core, caller }, body) => core.notifications.subscribe(caller, body),
  updateNotifications: ({ core, caller }, body) => core.notifications.update(caller, body),
  removeNotifications: ({ core, caller }) => core.notifications.remove(caller),
  testNotifications: ({ core, caller }) => core.notifications.test(caller),
};

/** A session belongs to the person who started it, if an issuer identified them. */
function originOf(
  { people }: Pick<Core, "people">,
  { personId, person }: Caller,
): Pick<Origin, "belongsTo" | "givenTo" | "startedBy"> {
  if (personId === undefined) return {};
  const givenTo = [...people.newSessionsFor];
  return { startedBy: personId, belongsTo: { personId, person }, givenTo };
}

/** The operations as methods of one gateway. Every failure is a `ProtocolError`. */
export function createOperations(
  core: Core,
  readiness: Readiness,
): Pick<GatewayApi, OperationName> {
  const methods = OPERATION_NAMES.map((name) => [name, createMethod(core, name, readiness)]);
  return Object.fromEntries(methods) as Pick<GatewayApi, OperationName>;
}

function createMethod(
  core: Core,
  name: OperationName,
  readiness: Readiness,
): (caller: Caller, ...input: unknown[]) => Promise<unknown> {
  const handle = HANDLERS[name] as (call: Call, ...input: unknown[]) => Promise<unknown>;
  const { clock } = core;
  const isRead = OPERATIONS[name].method === "GET";
  return (caller, ...input) =>
    whileStoreAnswers({ clock, readiness, isRead }, () =>
      guard(core, async () => {
        assertMayCall(core, caller, name);
        await assertReaches(core, caller, name, input[0]);
        return handle({ core, caller }, ...input);
      }),
    );
}
