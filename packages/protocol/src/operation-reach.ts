import type { OperationName } from "./operations.ts";

/**
 * The sessions that an operation can reach.
 *
 * - `session`: the one in its path. It does not exist for people who may not see it.
 * - `interaction`: the one in its path. It does not exist for people who may not see it.
 * - `filtered`: many sessions, filtered by the operation to the ones that the caller may see.
 * - `own`: only things that belong to the caller.
 * - `gateway`: things that belong to no session.
 * - `owner`: everything. Only callers who see every session may use it.
 * - `agent`: the one session of an agent's token.
 */
export type Reach = "agent" | "filtered" | "gateway" | "interaction" | "own" | "owner" | "session";

/** The reach of each operation. A missing one is a compile-time error. */
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
