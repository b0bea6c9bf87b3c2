import { factsOf, idsOf, type OperationName } from "@holdpoint/protocol";

import type { Route } from "../http/route.ts";

/** A valid body for each route with a body, by its `operationId`. */
const SAMPLE_BODIES: Readonly<Record<string, object>> = {
  greetGateway: { challenge: "c".repeat(22), origin: "http://127.0.0.1:1" },
  exchangeCode: { code: "no-such-code" },
  beginSignIn: { issuerId: "home" },
  finishSignIn: { issuerId: "home", answer: "code=1&state=2" },
  issueAgentToken: { label: "Codex" },
  createAgentToken: { label: "Codex" },
  renameDevice: { label: "Desk" },
  createPairing: {},
  createProgramToken: { label: "Nightly job", scope: "respond", expiresInDays: 30 },
  createSession: { agent: "demo" },
  updateSession: { title: "Renamed" },
  uploadAttachment: { name: "a.txt", data: "YWJj" },
  giveSession: { groups: [] },
  sendMessage: { content: "Hello" },
  stopTurn: {},
  submitAnswers: { toolCallId: "call_1", answers: { q1: "Yes" } },
  approveTool: { toolCallId: "call_1", digest: "0".repeat(64) },
  denyTool: { toolCallId: "call_1", reason: "No." },
  respond: { action: "deny" },
  undoResponse: { answeredAt: "2026-01-01T00:00:00.000Z" },
  dismissInteraction: {},
  addComment: { text: "Which database?" },
  addAskComment: { text: "The one of the orders." },
  handOver: { to: { group: "ops" } },
  remind: {},
  snoozeInteraction: { until: "2026-01-01T01:00:00.000Z" },
  createRule: { verdict: "allow", pattern: "npm run *", cwd: "/work" },
  previewRule: { verdict: "allow", pattern: "npm run *", cwd: "/work" },
  setInteractionMode: { enabled: true },
  createAsk: { kind: "approval", label: "deploy", prompt: "Deploy?" },
  trustFolder: { path: "/work", hash: "0".repeat(64) },
  subscribeNotifications: {
    endpoint: "https://fcm.googleapis.com/fcm/send/1",
    keys: { p256dh: "A".repeat(87), auth: "A".repeat(22) },
    about: "all",
  },
  updateNotifications: { about: "off" },
  testNotifications: {},
  sendMcpMessage: { jsonrpc: "2.0", id: 1, method: "ping" },
};

const SAMPLE_QUERIES: Readonly<Partial<Record<OperationName, object>>> = {
  findFiles: { query: "a" },
};

const SAMPLE_IDS: Readonly<Record<string, string>> = {
  agent: "demo",
  sessionId: "ses_1",
  interactionId: "int_1",
  messageId: "msg_1",
  attachmentId: "att_1",
  grantId: "gnt_1",
  clientId: "cli_1",
  deviceId: "tok_person",
  tokenId: "tok_agent",
};

/** The path of a route with ids that exist in a gateway with the session `ses_1`. */
function samplePath({ path }: Pick<Route, "path">, own: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, id: string) => own[id] ?? SAMPLE_IDS[id] ?? whole);
}

/** The same as a request over a WebSocket: ids and body as one object. */
export function sampleInput(
  name: OperationName,
  own: Readonly<Record<string, string>> = {},
): object {
  const ids = idsOf(name).filter((id) => id !== "clientId");
  const body = SAMPLE_BODIES[name];
  const takesBody = factsOf(name).input === "body";
  return {
    ...Object.fromEntries(ids.map((id) => [id, own[id] ?? SAMPLE_IDS[id]])),
    ...(takesBody && { body }),
    ...(factsOf(name).input === "query" && { query: SAMPLE_QUERIES[name] ?? {} }),
  };
}

/** A well-formed request to a route. */
export function sampleRequest(
  route: Route,
  own: Readonly<Record<string, string>> = {},
): { path: string; method: string; body?: object } {
  const body = SAMPLE_BODIES[route.operationId];
  if (route.body && !body) throw new Error(`There is no sample body for ${route.operationId}.`);
  return { path: samplePath(route, own), method: route.method, ...(body && { body }) };
}
