import type { Route } from "../http/route.ts";

/** A body that each route with a body takes, by its `operationId`. */
const SAMPLE_BODIES: Readonly<Record<string, object>> = {
  greetGateway: { challenge: "c".repeat(22), origin: "http://127.0.0.1:1" },
  exchangeCode: { code: "no-such-code" },
  issueAgentToken: { label: "Codex" },
  createAgentToken: { label: "Codex" },
  renameDevice: { label: "Desk" },
  createPairing: {},
  createProgramToken: { label: "Nightly job", scope: "respond", expiresInDays: 30 },
  createSession: { agent: "demo" },
  updateSession: { title: "Renamed" },
  uploadAttachment: { name: "a.txt", data: "YWJj" },
  sendMessage: { content: "Hello" },
  stopTurn: {},
  submitAnswers: { toolCallId: "call_1", answers: { q1: "Yes" } },
  approveTool: { toolCallId: "call_1", digest: "0".repeat(64) },
  denyTool: { toolCallId: "call_1", reason: "No." },
  respond: { action: "deny" },
  undoResponse: { answeredAt: "2026-01-01T00:00:00.000Z" },
  dismissInteraction: {},
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

/** The path of a route for things that exist in a gateway with the session `ses_1`. */
function samplePath({ path }: Pick<Route, "path">): string {
  return path
    .replace("{agent}", "demo")
    .replace("{sessionId}", "ses_1")
    .replace("{interactionId}", "int_1")
    .replace("{messageId}", "msg_1")
    .replace("{attachmentId}", "att_1")
    .replace("{grantId}", "gnt_1")
    .replace("{clientId}", "cli_1")
    .replace("{deviceId}", "tok_person")
    .replace("{tokenId}", "tok_agent");
}

/** A well-formed request to a route. */
export function sampleRequest(route: Route): { path: string; method: string; body?: object } {
  const body = SAMPLE_BODIES[route.operationId];
  if (route.body && !body) throw new Error(`There is no sample body for ${route.operationId}.`);
  return { path: samplePath(route), method: route.method, ...(body && { body }) };
}
