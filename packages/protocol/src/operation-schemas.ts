import { ASK_OPERATION_SCHEMAS } from "./ask-operation-schemas.ts";
import { COMPOSING_OPERATION_SCHEMAS } from "./composing-operation-schemas.ts";
import {
  agentTokenListSchema,
  deviceListSchema,
  programTokenListSchema,
} from "./credential-lists.ts";
import { ERROR_CODES, errorFactsOf, type ErrorCode } from "./error-code.ts";
import { folderTrustSchema, trustFolderBodySchema } from "./folder-trust.ts";
import {
  createRuleBodySchema,
  grantListSchema,
  grantSchema,
  ruleDraftSchema,
  rulePreviewSchema,
} from "./grant.ts";
import { historyNamesSchema, historyQuerySchema, historySchema } from "./history.ts";
import {
  agentListSchema,
  agentTokenBodySchema,
  approveBodySchema,
  createdAgentTokenSchema,
  createSessionBodySchema,
  denyBodySchema,
  eventPageQuerySchema,
  eventPageSchema,
  giveSessionBodySchema,
  groupListSchema,
  interactionListQuerySchema,
  interactionListSchema,
  interactionModeBodySchema,
  listQuerySchema,
  pairingSchema,
  programTokenBodySchema,
  programTokenSchema,
  queueSchema,
  renameDeviceBodySchema,
  respondResultSchema,
  sendMessageBodySchema,
  sentMessageSchema,
  sessionListQuerySchema,
  sessionListSchema,
  submitAnswersBodySchema,
  updateSessionBodySchema,
} from "./http.ts";
import { interactionSchema } from "./interaction.ts";
import { NOTE_OPERATION_SCHEMAS } from "./note-operation-schemas.ts";
import { NOTIFICATION_OPERATION_SCHEMAS } from "./notification-operation-schemas.ts";
import type { DetailsOf, OperationDetails } from "./operation-details.ts";
import type { OperationName, OPERATIONS } from "./operations.ts";
import { personSchema } from "./person.ts";
import { respondBodySchema, undoBodySchema } from "./response.ts";
import { sessionSchema } from "./session.ts";
import { SNOOZE_OPERATION_SCHEMAS } from "./snooze-operation-schemas.ts";

const OUTCOMES = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
  (code) => errorFactsOf(code).isOutcome,
);

/** How a response can be refused, by any operation. */
const RESPONSE_ERRORS: readonly ErrorCode[] = [
  "NOT_FOUND",
  "INTERACTION_DISABLED",
  "NOT_RESPONDER",
  "KEY_REUSED",
  ...OUTCOMES,
];

/** The second half of `OPERATIONS`: the inputs, outputs, access and possible errors of each operation. */
export const OPERATION_SCHEMAS = {
  listAgents: {
    summary: "Agents that can be started, and why others cannot",
    access: "person",
    answer: {
      status: 200,
      description: "The default agent comes first.",
      schema: agentListSchema,
    },
    errors: [],
  },
  listSessions: {
    summary: "Sessions, archived or not, newest activity first",
    access: "person",
    query: sessionListQuerySchema,
    answer: { status: 200, description: "A page of them.", schema: sessionListSchema },
    errors: [],
  },
  createSession: {
    summary: "Create a session",
    access: "person",
    body: createSessionBodySchema,
    answer: { status: 201, description: "The session.", schema: sessionSchema },
    errors: ["AGENT_UNAVAILABLE", "INVALID_REQUEST"],
  },
  getSession: {
    summary: "One session",
    access: "person",
    answer: { status: 200, description: "The session.", schema: sessionSchema },
    errors: ["NOT_FOUND"],
  },
  updateSession: {
    summary:
      "Change title, permission mode or model, archive or unarchive it; a running turn obeys a new mode at once",
    access: "person",
    body: updateSessionBodySchema,
    answer: { status: 200, description: "The session as it is now.", schema: sessionSchema },
    errors: ["NOT_FOUND", "INVALID_REQUEST", "TURN_RUNNING"],
  },
  listGroups: {
    summary: "The groups that a person can give sessions to",
    access: "person",
    answer: { status: 200, description: "The groups.", schema: groupListSchema },
    errors: [],
  },
  giveSession: {
    summary: "Choose the groups that see the session, in addition to its person",
    access: "person",
    body: giveSessionBodySchema,
    answer: { status: 200, description: "The session as it is now.", schema: sessionSchema },
    errors: ["NOT_FOUND", "INVALID_REQUEST"],
  },
  deleteSession: {
    summary: "Stop the session's agent and delete its log",
    access: "person",
    answer: { status: 204, description: "Deleted." },
    errors: ["NOT_FOUND"],
  },
  ...COMPOSING_OPERATION_SCHEMAS,
  sendMessage: {
    summary: "Start a turn with a message, or queue it behind a running one",
    access: "person",
    body: sendMessageBodySchema,
    answer: { status: 202, description: "The message was taken.", schema: sentMessageSchema },
    errors: ["NOT_FOUND", "KEY_REUSED", "TURN_RUNNING", "AGENT_UNAVAILABLE", "INVALID_REQUEST"],
  },
  listQueue: {
    summary: "Messages that wait for the running turn to end",
    access: "person",
    answer: {
      status: 200,
      description: "In the order in which they will be sent.",
      schema: queueSchema,
    },
    errors: ["NOT_FOUND"],
  },
  removeQueuedMessage: {
    summary: "Remove a message before its turn starts",
    access: "person",
    answer: { status: 204, description: "It will not be sent." },
    errors: ["NOT_FOUND", "ALREADY_ANSWERED"],
  },
  stopTurn: {
    summary: "Stop the running turn and withdraw its requests",
    access: "person",
    answer: {
      status: 202,
      description: "The turn was asked to stop; nothing happens when none runs.",
    },
    errors: ["NOT_FOUND"],
  },
  readEvents: {
    summary: "A page of the session's log",
    access: "person",
    query: eventPageQuerySchema,
    answer: { status: 200, description: "A page of it.", schema: eventPageSchema },
    errors: ["NOT_FOUND"],
    hasStream: true,
  },
  submitAnswers: {
    summary: "Answer the questions of a tool call",
    access: "person",
    body: submitAnswersBodySchema,
    answer: { status: 200, description: "This response won.", schema: respondResultSchema },
    errors: RESPONSE_ERRORS,
  },
  approveTool: {
    summary: "Approve a tool call once, exactly as it was asked",
    access: "person",
    body: approveBodySchema,
    answer: { status: 200, description: "This response won.", schema: respondResultSchema },
    errors: RESPONSE_ERRORS,
  },
  denyTool: {
    summary: "Deny a tool call",
    access: "person",
    body: denyBodySchema,
    answer: { status: 200, description: "This response won.", schema: respondResultSchema },
    errors: RESPONSE_ERRORS,
  },
  listInteractions: {
    summary:
      "The inbox: interactions of all sessions, oldest first. Old expired and orphaned interactions are listed only in their session",
    access: "person",
    query: interactionListQuerySchema,
    answer: { status: 200, description: "A page of them.", schema: interactionListSchema },
    errors: [],
  },
  listHistory: {
    summary: "People's answers in all sessions, newest answer first",
    access: "person",
    query: historyQuerySchema,
    answer: { status: 200, description: "A page of it.", schema: historySchema },
    errors: [],
    hasStream: true,
  },
  listHistoryNames: {
    summary: "The people, agents and tools that a filter of the history can name",
    access: "person",
    answer: {
      status: 200,
      description: "From the newest answers.",
      schema: historyNamesSchema,
    },
    errors: [],
  },
  getInteraction: {
    summary: "One interaction, in full",
    access: "person",
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["NOT_FOUND"],
  },
  respond: {
    summary: "Respond; the first response wins",
    access: "person",
    body: respondBodySchema,
    answer: {
      status: 200,
      description: "This response won, now or earlier with the same idempotency key.",
      schema: respondResultSchema,
    },
    errors: RESPONSE_ERRORS,
  },
  undoResponse: {
    summary: "Undo a response that the agent has not received yet",
    access: "person",
    body: undoBodySchema,
    answer: { status: 200, description: "The interaction, open again.", schema: interactionSchema },
    errors: ["ALREADY_ANSWERED", "INTERACTION_DISABLED", "NOT_FOUND", "NOT_RESPONDER"],
  },
  dismissInteraction: {
    summary: "Close an expired or orphaned interaction without an answer",
    access: "person",
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: [
      "ALREADY_ANSWERED",
      "INTERACTION_DISABLED",
      "INVALID_REQUEST",
      "NOT_FOUND",
      "NOT_RESPONDER",
    ],
  },
  ...NOTE_OPERATION_SCHEMAS,
  ...SNOOZE_OPERATION_SCHEMAS,
  listGrants: {
    summary: "Remembered approvals in force, newest first",
    access: "person",
    query: listQuerySchema,
    answer: { status: 200, description: "A page of them.", schema: grantListSchema },
    errors: [],
  },
  revokeGrant: {
    summary: "Revoke a remembered approval; from then on it is asked again",
    access: "person",
    answer: { status: 204, description: "Revoked." },
    errors: ["NOT_FOUND"],
  },
  createRule: {
    summary: "Make a rule about commands, listed among the grants",
    access: "person",
    body: createRuleBodySchema,
    answer: { status: 201, description: "The rule.", schema: grantSchema },
    errors: ["INTERACTION_DISABLED", "INVALID_REQUEST"],
  },
  previewRule: {
    summary: "Commands of the last 30 days that a rule would have covered",
    access: "person",
    body: ruleDraftSchema,
    answer: { status: 200, description: "The commands.", schema: rulePreviewSchema },
    errors: [],
  },
  setInteractionMode: {
    summary: "Let a client answer, or make it read-only",
    access: "person",
    body: interactionModeBodySchema,
    answer: { status: 204, description: "The mode is set." },
    errors: [],
  },
  getPerson: {
    summary: "The caller and their rights",
    access: "person",
    answer: { status: 200, description: "The person.", schema: personSchema },
    errors: [],
  },
  listDevices: {
    summary: "The devices that have signed in as this person",
    access: "person",
    answer: { status: 200, description: "Oldest first.", schema: deviceListSchema },
    errors: [],
  },
  revokeDevice: {
    summary: "Sign a device out and end its open connections",
    access: "person",
    answer: { status: 204, description: "Signed out." },
    errors: ["NOT_FOUND"],
  },
  renameDevice: {
    summary: "Give a device another name",
    access: "device",
    body: renameDeviceBodySchema,
    answer: { status: 204, description: "Renamed." },
    errors: ["NOT_FOUND"],
  },
  createPairing: {
    summary: "Make a short code with which one more device signs in",
    access: "device",
    answer: { status: 201, description: "The code; it is shown only here.", schema: pairingSchema },
    errors: [],
  },
  createProgramToken: {
    summary: "Make a token for a program",
    access: "device",
    body: programTokenBodySchema,
    answer: {
      status: 201,
      description: "The token; it is shown only here.",
      schema: programTokenSchema,
    },
    errors: [],
  },
  listProgramTokens: {
    summary: "Tokens of this person's programs, without the tokens themselves",
    access: "device",
    answer: { status: 200, description: "Oldest first.", schema: programTokenListSchema },
    errors: [],
  },
  revokeProgramToken: {
    summary: "Revoke a program's token and end its open connections",
    access: "device",
    answer: { status: 204, description: "Revoked." },
    errors: ["NOT_FOUND"],
  },
  createAgentToken: {
    summary: "Create a token and a session for an agent that the gateway does not start",
    access: "person",
    body: agentTokenBodySchema,
    answer: {
      status: 201,
      description: "The token; it is shown only here.",
      schema: createdAgentTokenSchema,
    },
    errors: ["AGENT_UNAVAILABLE", "INVALID_REQUEST"],
  },
  listAgentTokens: {
    summary: "Tokens of agents that the gateway does not start, without the tokens themselves",
    access: "person",
    answer: { status: 200, description: "Oldest first.", schema: agentTokenListSchema },
    errors: [],
  },
  revokeAgentToken: {
    summary: "Revoke an agent's token and end its open connections",
    access: "person",
    answer: { status: 204, description: "Revoked." },
    errors: ["NOT_FOUND"],
  },
  ...ASK_OPERATION_SCHEMAS,
  getFolderTrust: {
    summary:
      "Files that the gateway loads from its folder, and files that it loads once a person trusts them",
    access: "person",
    answer: { status: 200, description: "The current files.", schema: folderTrustSchema },
    errors: [],
  },
  trustFolder: {
    summary: "Trust and load the shown files of the gateway's folder",
    access: "person",
    body: trustFolderBodySchema,
    answer: { status: 200, description: "It is loaded.", schema: folderTrustSchema },
    errors: ["DIGEST_MISMATCH", "INTERACTION_DISABLED", "INVALID_REQUEST"],
  },
  ...NOTIFICATION_OPERATION_SCHEMAS,
} as const satisfies { [TName in OperationName]: DetailsOf<(typeof OPERATIONS)[TName]> };

/** Returns the details of an operation, for callers that handle any operation. */
export function detailsOf(name: OperationName): OperationDetails {
  return OPERATION_SCHEMAS[name];
}
