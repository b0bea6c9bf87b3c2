import type { Role } from "./role.ts";

/** The facts about an operation that a client needs. */
export interface OperationFacts {
  /** A `GET` only reads: it works while the gateway is stopping, and a client may always repeat it. */
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** Required ids are in braces. `{clientId}` is the calling client's id, which callers do not pass. */
  readonly path: `/api/${string}`;
  /** The lowest role that is enough for a person. Absent for operations of agents. */
  readonly role?: Role;
  /** Where further input goes. Absent if ids are enough. */
  readonly input?: "body" | "query";
  /**
   * Whether a client may send it again after a lost connection. `always`: it may. `with_key`: it may, because every
   * transport adds an idempotency key so that it happens only once. The same key with different input is refused.
   */
  readonly repeat?: "always" | "with_key";
  /**
   * Set if it answers an interaction. Losing or being late is then a result and not an error, the body has the limit of
   * responses, and a client with interaction switched off is refused.
   */
  readonly responds?: true;
  /** Set if the body or the response contains a file. It may be larger and take longer than others. */
  readonly carriesFile?: true;
}

/**
 * The operations of a gateway, each defined once: this table contains the facts for clients, `operation-schemas.ts` the
 * inputs and outputs and who may call it. The methods of `GatewayApi` and of every transport, the HTTP routes, the
 * WebSocket's requests and the OpenAPI document are derived from these two tables.
 */
export const OPERATIONS = {
  /** Returns the agents, with the reason for each that cannot be started. The first one is the default. */
  listAgents: { method: "GET", path: "/api/agents", role: "viewer" },
  /** Returns the commands for a first message to the agent in a directory. Starts the agent briefly to ask for them. */
  listAgentCommands: {
    method: "GET",
    path: "/api/agents/{agent}/commands",
    input: "query",
    role: "responder",
  },
  /** Finds files and folders of a directory whose path contains a text, before there is a session in it. */
  findFolderFiles: { method: "GET", path: "/api/files", input: "query", role: "responder" },
  /** Returns sessions, newest activity first. Archived ones only on request. */
  listSessions: { method: "GET", path: "/api/sessions", input: "query", role: "viewer" },
  createSession: { method: "POST", path: "/api/sessions", input: "body", role: "responder" },
  getSession: { method: "GET", path: "/api/sessions/{sessionId}", role: "viewer" },
  /** `TURN_RUNNING` for archiving a session that is working or parked. */
  updateSession: {
    method: "PATCH",
    path: "/api/sessions/{sessionId}",
    input: "body",
    role: "responder",
  },
  /** Returns the groups that the person can give sessions to: groups from the config, and the person's groups. */
  listGroups: { method: "GET", path: "/api/groups", role: "responder" },
  /**
   * Replaces the groups that can see the session, in addition to the person it belongs to. Only that person and owners
   * may do this. `INVALID_REQUEST` for a session that belongs to everyone, or for a group without an issuer.
   */
  giveSession: {
    method: "PUT",
    path: "/api/sessions/{sessionId}/groups",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Stops the agent, withdraws the pending interactions and deletes the log. */
  deleteSession: { method: "DELETE", path: "/api/sessions/{sessionId}", role: "owner" },
  /** Returns the models that the agent offers. Empty if the agent offers no choice. */
  listModels: { method: "GET", path: "/api/sessions/{sessionId}/models", role: "responder" },
  /** Returns the commands that the agent accepts at the beginning of a message. */
  listCommands: { method: "GET", path: "/api/sessions/{sessionId}/commands", role: "responder" },
  /** Finds files and folders of the session's directory whose path contains a text. */
  findFiles: {
    method: "GET",
    path: "/api/sessions/{sessionId}/files",
    input: "query",
    role: "responder",
  },
  /**
   * Stores a file for messages of the session; `sendMessage` sends it. The type is derived from the bytes. Uploading
   * the same file again returns the same attachment. `INVALID_REQUEST` for an unsupported file, `TOO_LARGE` for one
   * beyond its limit,
   * `NO_ROOM` when the storage limit of the session or the gateway is reached.
   */
  uploadAttachment: {
    method: "POST",
    path: "/api/sessions/{sessionId}/attachments",
    input: "body",
    repeat: "always",
    carriesFile: true,
    role: "responder",
  },
  /** Returns a file of the session, with its bytes. */
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
  /** Returns queued messages in the order in which they will be sent. */
  listQueue: { method: "GET", path: "/api/sessions/{sessionId}/queue", role: "viewer" },
  /** `NOT_FOUND` when its turn has already started, `ALREADY_ANSWERED` for an answer on its way to the agent. */
  removeQueuedMessage: {
    method: "DELETE",
    path: "/api/sessions/{sessionId}/queue/{messageId}",
    role: "responder",
  },
  /** Ends the running turn, if any, and withdraws its requests. Resolves once the agent was asked to stop. */
  stopTurn: { method: "POST", path: "/api/sessions/{sessionId}/stop", role: "responder" },
  /** Returns a page of the log: after a position, before one, or (by default) the newest. */
  readEvents: {
    method: "GET",
    path: "/api/sessions/{sessionId}/events",
    input: "query",
    role: "viewer",
  },
  /**
   * Responds by tool call, to the oldest question that can be answered. `NOT_FOUND` when there is none. Keys or values
   * that match no question are refused as `INVALID_RESPONSE`.
   */
  submitAnswers: {
    method: "POST",
    path: "/api/sessions/{sessionId}/submit-answers",
    input: "body",
    responds: true,
    role: "responder",
  },
  /** Approves once by tool call, for the oldest approval that can be answered, if it is the one that was shown. */
  approveTool: {
    method: "POST",
    path: "/api/sessions/{sessionId}/approve",
    input: "body",
    responds: true,
    role: "responder",
  },
  /** Responds by tool call with a denial. */
  denyTool: {
    method: "POST",
    path: "/api/sessions/{sessionId}/deny",
    input: "body",
    responds: true,
    role: "responder",
  },
  /** Returns interactions, oldest first. */
  listInteractions: { method: "GET", path: "/api/interactions", input: "query", role: "viewer" },
  /** Returns answered interactions of all sessions, newest answer first. Over HTTP also the whole history, as lines. */
  listHistory: { method: "GET", path: "/api/history", input: "query", role: "viewer" },
  /** Returns the people, agents and tools that a history filter can name. */
  listHistoryNames: { method: "GET", path: "/api/history/names", role: "viewer" },
  getInteraction: { method: "GET", path: "/api/interactions/{interactionId}", role: "viewer" },
  /** The first valid response wins. All others get the winner. */
  respond: {
    method: "POST",
    path: "/api/interactions/{interactionId}/response",
    input: "body",
    repeat: "with_key",
    responds: true,
    role: "responder",
  },
  /**
   * Takes back a response that the agent has certainly not got, and restores the previous state. Does nothing without a
   * response. `ALREADY_ANSWERED` when the agent has or may have the response, or when a different one was given since.
   */
  undoResponse: {
    method: "POST",
    path: "/api/interactions/{interactionId}/undo",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /**
   * Closes an interaction that was not answered in time, so that it takes no late answer. The agent is not notified.
   * Does nothing if late answers are impossible anyway. `INVALID_REQUEST` while it is pending, `ALREADY_ANSWERED` after
   * an answer.
   */
  dismissInteraction: {
    method: "POST",
    path: "/api/interactions/{interactionId}/dismiss",
    repeat: "always",
    role: "responder",
  },
  /**
   * Adds a comment, which is not an answer: the interaction stays open with its deadline, and the agent is not
   * notified. Repeating the same text by the same person does nothing. `INVALID_REQUEST` when there are too many
   * comments.
   */
  addComment: {
    method: "POST",
    path: "/api/interactions/{interactionId}/comments",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /**
   * Reassigns it to a person or group that a later step of the policy would admit, and lets them answer now. No one
   * loses the right to answer. Repeating it does nothing. `INVALID_REQUEST` for anyone else.
   */
  handOver: {
    method: "POST",
    path: "/api/interactions/{interactionId}/hand-over",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Notifies everyone who can answer again. Does nothing if that happened in the last five minutes. */
  remind: {
    method: "POST",
    path: "/api/interactions/{interactionId}/remind",
    repeat: "always",
    role: "viewer",
  },
  /** Returns the person's snoozed interactions that can still be answered. The first to return comes first. */
  listSnoozes: { method: "GET", path: "/api/snoozes", role: "viewer" },
  /**
   * Snoozes an interaction for the person, on all devices. It returns at the given time, or in time before its
   * deadline. The agent keeps waiting. `INVALID_REQUEST` if it cannot be answered, or for more than seven days.
   */
  snoozeInteraction: {
    method: "PUT",
    path: "/api/interactions/{interactionId}/snooze",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Ends a snooze at once. Does nothing if the interaction is not snoozed. */
  endSnooze: {
    method: "DELETE",
    path: "/api/interactions/{interactionId}/snooze",
    repeat: "always",
    role: "responder",
  },
  /** Returns the valid grants, newest first. */
  listGrants: { method: "GET", path: "/api/grants", input: "query", role: "viewer" },
  /** Once it resolves, the grant no longer lets anything run. `NOT_FOUND` when it is revoked, used up or unknown. */
  revokeGrant: { method: "DELETE", path: "/api/grants/{grantId}", role: "owner" },
  /** Creates a person's rule about commands. Like a grant, it is listed, expires and can be revoked. */
  createRule: { method: "POST", path: "/api/rules", input: "body", role: "owner" },
  /** Returns the commands of the last 30 days that a rule would have decided about. Changes nothing. */
  previewRule: { method: "POST", path: "/api/rules/preview", input: "body", role: "owner" },
  /** Sets whether the client may answer. */
  setInteractionMode: {
    method: "PUT",
    path: "/api/clients/{clientId}/interaction-mode",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Returns the caller's identity and role. */
  getPerson: { method: "GET", path: "/api/person", role: "viewer" },
  /** Returns the devices signed in as this person, oldest first. */
  listDevices: { method: "GET", path: "/api/devices", role: "viewer" },
  /** Signs a device out and ends its connections. `NOT_FOUND` if it is signed out or belongs to someone else. */
  revokeDevice: { method: "DELETE", path: "/api/devices/{deviceId}", role: "viewer" },
  /** Renames one of the person's devices. `NOT_FOUND` if it is signed out or belongs to someone else. */
  renameDevice: { method: "PATCH", path: "/api/devices/{deviceId}", input: "body", role: "viewer" },
  /** Creates a short code that signs in one more device within five minutes. Only this result contains the code. */
  createPairing: { method: "POST", path: "/api/pairings", role: "owner" },
  /** Creates a token for a program, with the person's rights within its scope. Only this result contains the token. */
  createProgramToken: { method: "POST", path: "/api/program-tokens", input: "body", role: "owner" },
  /** Returns the tokens of programs, oldest first. */
  listProgramTokens: { method: "GET", path: "/api/program-tokens", role: "owner" },
  /** Revokes the token and ends the program's connections. `NOT_FOUND` if it is revoked or belongs to someone else. */
  revokeProgramToken: { method: "DELETE", path: "/api/program-tokens/{tokenId}", role: "owner" },
  /** Creates a token and a session for an agent that is started elsewhere. Only this result contains the token. */
  createAgentToken: { method: "POST", path: "/api/agent-tokens", input: "body", role: "owner" },
  /** Returns the tokens of agents that are started elsewhere, oldest first. */
  listAgentTokens: { method: "GET", path: "/api/agent-tokens", role: "owner" },
  /** Revokes the token and ends the agent's connections. `NOT_FOUND` if it is already revoked. */
  revokeAgentToken: { method: "DELETE", path: "/api/agent-tokens/{tokenId}", role: "owner" },
  /**
   * Creates an ask for a program that holds an agent's token, in the session of that token. The same key finds the same
   * ask; with a different body it is `KEY_REUSED`.
   */
  createAsk: { method: "POST", path: "/api/asks", input: "body", repeat: "with_key" },
  /** Returns one of the token's asks. Any other is `NOT_FOUND`. Over HTTP it can wait, and be followed. */
  getAsk: { method: "GET", path: "/api/asks/{interactionId}", input: "query" },
  /** Adds a comment by the program to one of its asks. Repeating the same text does nothing. */
  addAskComment: {
    method: "POST",
    path: "/api/asks/{interactionId}/comments",
    input: "body",
    repeat: "always",
  },
  /** Withdraws an ask, or confirms that its answer has arrived. Sensitive values are deleted. */
  withdrawAsk: { method: "DELETE", path: "/api/asks/{interactionId}", repeat: "always" },
  /** Returns the files loaded from the gateway's start folder, and the files it would load if a person trusted them. */
  getFolderTrust: { method: "GET", path: "/api/folder-trust", role: "owner" },
  /** Trusts and loads exactly what the person has seen. `DIGEST_MISMATCH` if the folder has changed since then. */
  trustFolder: {
    method: "POST",
    path: "/api/folder-trust",
    input: "body",
    repeat: "always",
    role: "owner",
  },
  /** Returns the key that browsers subscribe with, and the person's devices with their notification settings. */
  getNotifications: { method: "GET", path: "/api/notifications", role: "viewer" },
  /** Subscribes the calling device, or replaces its subscription. `INVALID_REQUEST` for an unknown push service. */
  subscribeNotifications: {
    method: "PUT",
    path: "/api/notifications/subscription",
    input: "body",
    repeat: "always",
    role: "responder",
  },
  /** Changes the notification settings of the calling device. `NOT_FOUND` when it is not subscribed. */
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
  /** Sends a test message to the calling device, and returns the result. `NOT_FOUND` when it is not subscribed. */
  testNotifications: { method: "POST", path: "/api/notifications/test", role: "responder" },
} as const satisfies Readonly<Record<string, OperationFacts>>;

export type OperationName = keyof typeof OPERATIONS;

/** The names of all operations, in the order of the table. */
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Returns the facts of an operation, for callers that handle any operation. */
export function factsOf(name: OperationName): OperationFacts {
  return OPERATIONS[name];
}

/** Returns the names of the ids in an operation's path, in order. */
export function idsOf(name: OperationName): string[] {
  return OPERATIONS[name].path.match(/(?<=\{)\w+/g) ?? [];
}
