import type { Role } from "./role.ts";

/** What a client must know to ask for an operation. */
export interface OperationFacts {
  /** A `GET` only reads. The gateway takes no other while it is stopping, and a client may always repeat it. */
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** The ids that it needs are in braces. `{clientId}` is the calling client's own id, which no caller has to name. */
  readonly path: `/api/${string}`;
  /** The least role of a person who may have it. Absent for what only an agent has. */
  readonly role?: Role;
  /** Where its further input goes; absent for one that needs ids only. */
  readonly input?: "body" | "query";
  /**
   * Whether a client may send it again after its connection was lost: `always`, or because every transport gives it an
   * idempotency key, so that it happens once. The same key with something else is refused.
   */
  readonly repeat?: "always" | "with_key";
  /**
   * It answers an interaction: losing or being late is a result of it and no error, its body has the limit of responses,
   * and it is refused to a client with interaction switched off.
   */
  readonly responds?: true;
  /** Its body or its answer has a file: it may be larger than others, and take longer. */
  readonly carriesFile?: true;
}

/**
 * The operations of a gateway, each written down once: here what a client must know, in `operation-schemas.ts` what goes
 * in and out and who may call it. The methods of `GatewayApi` and of every transport, the HTTP routes, the WebSocket's
 * requests and the OpenAPI document are made from these two tables.
 */
export const OPERATIONS = {
  /** Agents that can be started, and why others cannot; the one offered first in front. */
  listAgents: { method: "GET", path: "/api/agents", role: "viewer" },
  /** The commands that a first message to the agent can begin with in a directory. Starts the agent for a moment, without a message. */
  listAgentCommands: {
    method: "GET",
    path: "/api/agents/{agent}/commands",
    input: "query",
    role: "responder",
  },
  /** Files and folders of a directory whose path has a text, before there is a session in it. */
  findFolderFiles: { method: "GET", path: "/api/files", input: "query", role: "responder" },
  /** Newest activity first. Those that are archived only when they are asked for. */
  listSessions: { method: "GET", path: "/api/sessions", input: "query", role: "viewer" },
  createSession: { method: "POST", path: "/api/sessions", input: "body", role: "responder" },
  getSession: { method: "GET", path: "/api/sessions/{sessionId}", role: "viewer" },
  /** `TURN_RUNNING` for archiving a session that works or is parked. */
  updateSession: {
    method: "PATCH",
    path: "/api/sessions/{sessionId}",
    input: "body",
    role: "responder",
  },
  /** The groups that a person can give sessions to: those of the config, and their own. */
  listGroups: { method: "GET", path: "/api/groups", role: "responder" },
  /**
   * Says which groups see the session beside the person that it belongs to, in place of those before. Only that person and
   * owners say it. `INVALID_REQUEST` for a session that is everybody's, or a group of no issuer.
   */
  giveSession: {
    method: "PUT",
    path: "/api/sessions/{sessionId}/groups",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Stops its agent, withdraws its pending interactions and deletes its log. */
  deleteSession: { method: "DELETE", path: "/api/sessions/{sessionId}", role: "owner" },
  /** The models that its agent can use, as the agent says. Empty for an agent without a choice. */
  listModels: { method: "GET", path: "/api/sessions/{sessionId}/models", role: "responder" },
  /** The commands that a message to its agent can begin with, as the agent says. */
  listCommands: { method: "GET", path: "/api/sessions/{sessionId}/commands", role: "responder" },
  /** Files and folders of the session's directory whose path has a text. */
  findFiles: {
    method: "GET",
    path: "/api/sessions/{sessionId}/files",
    input: "query",
    role: "responder",
  },
  /**
   * Keeps a file for messages of the session; sending it is `sendMessage`. What it is, its bytes say. The same file again is
   * the same attachment. `INVALID_REQUEST` for one that cannot be taken, `TOO_LARGE` for what is beyond its limit,
   * `NO_ROOM` when the session or the gateway keeps too much.
   */
  uploadAttachment: {
    method: "POST",
    path: "/api/sessions/{sessionId}/attachments",
    input: "body",
    repeat: "always",
    carriesFile: true,
    role: "responder",
  },
  /** A file of the session, with its bytes. */
  readAttachment: {
    method: "GET",
    path: "/api/sessions/{sessionId}/attachments/{attachmentId}",
    carriesFile: true,
    role: "viewer",
  },
  sendMessage: {
    method: "POST",
    path: "/api/sessions/{sessionId}/messages",
    input: "body",
    repeat: "with_key",
    role: "responder",
  },
  /** In the order in which they will be sent. */
  listQueue: { method: "GET", path: "/api/sessions/{sessionId}/queue", role: "viewer" },
  /** `NOT_FOUND` when its turn has started already, `ALREADY_ANSWERED` for an answer on its way to the agent. */
  removeQueuedMessage: {
    method: "DELETE",
    path: "/api/sessions/{sessionId}/queue/{messageId}",
    role: "responder",
  },
  /** Ends the running turn and withdraws what it asked. Does nothing when none runs. Resolves once asked to stop. */
  stopTurn: { method: "POST", path: "/api/sessions/{sessionId}/stop", role: "responder" },
  /** A page of the log: after a position, or the last ones before it (default: the newest). */
  readEvents: {
    method: "GET",
    path: "/api/sessions/{sessionId}/events",
    input: "query",
    role: "viewer",
  },
  /**
   * `respond` by tool call, for its oldest question that can be answered. `NOT_FOUND` when there is none; keys or values
   * that fit no question are refused as `INVALID_RESPONSE`.
   */
  submitAnswers: {
    method: "POST",
    path: "/api/sessions/{sessionId}/submit-answers",
    input: "body",
    responds: true,
    role: "responder",
  },
  /** `respond` by tool call, once, for its oldest approval that can be answered, if that is what was shown. */
  approveTool: {
    method: "POST",
    path: "/api/sessions/{sessionId}/approve",
    input: "body",
    responds: true,
    role: "responder",
  },
  /** `respond` by tool call with a denial. */
  denyTool: {
    method: "POST",
    path: "/api/sessions/{sessionId}/deny",
    input: "body",
    responds: true,
    role: "responder",
  },
  /** Oldest first. */
  listInteractions: { method: "GET", path: "/api/interactions", input: "query", role: "viewer" },
  /** What people have answered in all sessions, newest answer first. Over HTTP also all of it, as lines. */
  listHistory: { method: "GET", path: "/api/history", input: "query", role: "viewer" },
  /** The people, agents and tools that a filter of the history can name. */
  listHistoryNames: { method: "GET", path: "/api/history/names", role: "viewer" },
  getInteraction: { method: "GET", path: "/api/interactions/{interactionId}", role: "viewer" },
  /** The first valid response wins; every other gets the winner. */
  respond: {
    method: "POST",
    path: "/api/interactions/{interactionId}/response",
    input: "body",
    repeat: "with_key",
    responds: true,
    role: "responder",
  },
  /**
   * Takes a response back that the agent has certainly not got; then the interaction is as it was before. Does nothing to one
   * without a response. `ALREADY_ANSWERED` when the agent has it or may have it, or when another one was given meanwhile.
   */
  undoResponse: {
    method: "POST",
    path: "/api/interactions/{interactionId}/undo",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /**
   * Closes an interaction that nobody answered in time: it takes no late answer any more, and the agent hears nothing. Does
   * nothing to one that takes none as it is. `INVALID_REQUEST` for one that is pending, `ALREADY_ANSWERED` after an answer.
   */
  dismissInteraction: {
    method: "POST",
    path: "/api/interactions/{interactionId}/dismiss",
    repeat: "always",
    role: "responder",
  },
  /**
   * Writes a comment under it, which is no answer: it stays open, with its deadline, and its agent hears nothing. The same
   * words of the same person once more do nothing. `INVALID_REQUEST` when there are too many.
   */
  addComment: {
    method: "POST",
    path: "/api/interactions/{interactionId}/comments",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /**
   * Lets somebody answer from now on whom a later step of the policy would let answer. Takes it from nobody. Does nothing where
   * that has been done. `INVALID_REQUEST` for everybody else.
   */
  handOver: {
    method: "POST",
    path: "/api/interactions/{interactionId}/hand-over",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Notifies those who can answer once more. Does nothing where that was done in the last five minutes. */
  remind: {
    method: "POST",
    path: "/api/interactions/{interactionId}/remind",
    repeat: "always",
    role: "viewer",
  },
  /** What the person has put off and can still answer; the first that comes back in front. */
  listSnoozes: { method: "GET", path: "/api/snoozes", role: "viewer" },
  /**
   * Puts an interaction off for the person, on all devices: it is back at that instant, or in time before its deadline. The
   * agent waits as before. `INVALID_REQUEST` for one that cannot be answered, or for more than seven days.
   */
  snoozeInteraction: {
    method: "PUT",
    path: "/api/interactions/{interactionId}/snooze",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Brings it back at once. Does nothing to one that is not put off. */
  endSnooze: {
    method: "DELETE",
    path: "/api/interactions/{interactionId}/snooze",
    repeat: "always",
    role: "responder",
  },
  /** Remembered approvals that hold now, newest first. */
  listGrants: { method: "GET", path: "/api/grants", input: "query", role: "viewer" },
  /** Once resolved, nothing runs because of it any more. `NOT_FOUND` when it is revoked, used up or unknown. */
  revokeGrant: { method: "DELETE", path: "/api/grants/{grantId}", role: "owner" },
  /** Makes a rule about commands: a person's own, which is listed, expires and is revoked as a grant. */
  createRule: { method: "POST", path: "/api/rules", input: "body", role: "owner" },
  /** What a rule would have decided about in the last 30 days. Changes nothing. */
  previewRule: { method: "POST", path: "/api/rules/preview", input: "body", role: "owner" },
  /** Whether the client may answer. */
  setInteractionMode: {
    method: "PUT",
    path: "/api/clients/{clientId}/interaction-mode",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Who the caller is, and what they may do. */
  getPerson: { method: "GET", path: "/api/person", role: "viewer" },
  /** The devices that have signed in as this person, oldest first. */
  listDevices: { method: "GET", path: "/api/devices", role: "viewer" },
  /** Signs a device out and ends what it has open. `NOT_FOUND` when it is signed out already, or is another person's. */
  revokeDevice: { method: "DELETE", path: "/api/devices/{deviceId}", role: "viewer" },
  /** Gives one of the person's devices another name. `NOT_FOUND` as with `revokeDevice`. */
  renameDevice: { method: "PATCH", path: "/api/devices/{deviceId}", input: "body", role: "viewer" },
  /** A short code with which one more device signs in, within five minutes. The code is only in this result. */
  createPairing: { method: "POST", path: "/api/pairings", role: "owner" },
  /** A token for a program, with a person's rights as far as its scope. The token is only in this result. */
  createProgramToken: { method: "POST", path: "/api/program-tokens", input: "body", role: "owner" },
  /** Oldest first. */
  listProgramTokens: { method: "GET", path: "/api/program-tokens", role: "owner" },
  /** Ends what the program has open as well. `NOT_FOUND` when it is revoked already, or is another person's. */
  revokeProgramToken: { method: "DELETE", path: "/api/program-tokens/{tokenId}", role: "owner" },
  /** A token for an agent that somebody else starts, and a session for it. The token is only in this result. */
  createAgentToken: { method: "POST", path: "/api/agent-tokens", input: "body", role: "owner" },
  /** Tokens of agents that somebody else starts, oldest first. */
  listAgentTokens: { method: "GET", path: "/api/agent-tokens", role: "owner" },
  /** Ends what the agent has open as well. `NOT_FOUND` when it is revoked already. */
  revokeAgentToken: { method: "DELETE", path: "/api/agent-tokens/{tokenId}", role: "owner" },
  /**
   * Asks for a program that holds an agent's token, in that token's session. The same key finds the same ask; with another
   * body it is `KEY_REUSED`.
   */
  createAsk: { method: "POST", path: "/api/asks", input: "body", repeat: "with_key" },
  /** One of the token's own asks; every other is `NOT_FOUND`. Over HTTP it can wait, and be followed. */
  getAsk: { method: "GET", path: "/api/asks/{interactionId}", input: "query" },
  /** Writes a comment of the program's under one of its own asks. The same words once more do nothing. */
  addAskComment: {
    method: "POST",
    path: "/api/asks/{interactionId}/comments",
    input: "body",
    repeat: "always",
  },
  /** Takes an ask back, or says that its answer has arrived. Sensitive values end with this. */
  withdrawAsk: { method: "DELETE", path: "/api/asks/{interactionId}", repeat: "always" },
  /** What the gateway loads from the folder that it was started in, and what it would load if a person trusted it. */
  getFolderTrust: { method: "GET", path: "/api/folder-trust", role: "owner" },
  /** Trusts and loads exactly what the person has seen; `DIGEST_MISMATCH` when something else lies there by now. */
  trustFolder: {
    method: "POST",
    path: "/api/folder-trust",
    input: "body",
    repeat: "always",
    role: "owner",
  },
  /** The key that browsers subscribe with, and which of the person's devices are notified of what. */
  getNotifications: { method: "GET", path: "/api/notifications", role: "viewer" },
  /** Has the calling device notified, in place of what it had before. `INVALID_REQUEST` for a push service that is not known. */
  subscribeNotifications: {
    method: "PUT",
    path: "/api/notifications/subscription",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Changes what the calling device is notified of. `NOT_FOUND` when it is not subscribed. */
  updateNotifications: {
    method: "PATCH",
    path: "/api/notifications/subscription",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Ends the notifications of the calling device. `NOT_FOUND` when it is not subscribed. */
  removeNotifications: {
    method: "DELETE",
    path: "/api/notifications/subscription",
    role: "viewer",
  },
  /** Sends one message to the calling device, and says what its push service did. `NOT_FOUND` when it is not subscribed. */
  testNotifications: { method: "POST", path: "/api/notifications/test", role: "responder" },
} as const satisfies Readonly<Record<string, OperationFacts>>;

export type OperationName = keyof typeof OPERATIONS;

/** Every operation, in the order of the table. */
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** The facts of an operation, for code that works with any of them. */
export function factsOf(name: OperationName): OperationFacts {
  return OPERATIONS[name];
}

/** Names of the ids in an operation's path, in their order. */
export function idsOf(name: OperationName): string[] {
  return OPERATIONS[name].path.match(/(?<=\{)\w+/g) ?? [];
}
