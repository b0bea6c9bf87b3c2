import type { OperationName } from "./operations.ts";

/**
 * What of the gateway's sessions an operation reaches.
 *
 * - `session`: the one that its path names. To whom it does not belong, there is none.
 * - `interaction`: the one that its path names; the same.
 * - `filtered`: of many sessions those that the caller may see, in its own words.
 * - `own`: nothing but what is the caller's own.
 * - `gateway`: what belongs to no session.
 * - `owner`: everything, and only who sees every session may ask for it.
 * - `agent`: the one session of an agent's token.
 */
export type Reach = "agent" | "filtered" | "gateway" | "interaction" | "own" | "owner" | "session";

/** Of each operation. One that is not in it does not compile. */
export const OPERATION_REACH: Readonly<Record<OperationName, Reach>> = {
  listAgents: "gateway",
  listAgentCommands: "gateway",
  findFolderFiles: "gateway",
  listSessions: "filtered",
  createSession: "own",
  listGroups: "own",
  getSession: "session",
  updateSession: "session",
  giveSession: "session",
  deleteSession: "session",
  listModels: "session",
  listCommands: "session",
  findFiles: "session",
  uploadAttachment: "session",
  readAttachment: "session",
  sendMessage: "session",
  listQueue: "session",
  removeQueuedMessage: "session",
  stopTurn: "session",
  readEvents: "session",
  submitAnswers: "session",
  approveTool: "session",
  denyTool: "session",
  listInteractions: "filtered",
  listHistory: "filtered",
  listHistoryNames: "filtered",
  getInteraction: "interaction",
  respond: "interaction",
  undoResponse: "interaction",
  dismissInteraction: "interaction",
  addComment: "interaction",
  handOver: "interaction",
  remind: "interaction",
  listSnoozes: "filtered",
  snoozeInteraction: "interaction",
  endSnooze: "interaction",
  listGrants: "filtered",
  revokeGrant: "owner",
  createRule: "owner",
  previewRule: "owner",
  setInteractionMode: "own",
  getPerson: "own",
  listDevices: "own",
  revokeDevice: "own",
  renameDevice: "own",
  createPairing: "own",
  createProgramToken: "own",
  listProgramTokens: "own",
  revokeProgramToken: "own",
  createAgentToken: "owner",
  listAgentTokens: "owner",
  revokeAgentToken: "owner",
  createAsk: "agent",
  getAsk: "agent",
  addAskComment: "agent",
  withdrawAsk: "agent",
  getFolderTrust: "gateway",
  trustFolder: "gateway",
  getNotifications: "own",
  subscribeNotifications: "own",
  updateNotifications: "own",
  removeNotifications: "own",
  testNotifications: "own",
};
