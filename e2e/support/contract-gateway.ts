import type { HarnessCredential } from "@holdpoint/client/testing";
import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  openGateway,
  type Gateway,
  type HoldRequest,
  type TurnContext,
} from "@holdpoint/engine";
import { createScriptedAdapter, type TurnScript } from "@holdpoint/engine/testing";
import { createServer, type ServerOptions } from "@holdpoint/server";

/** The only token of a served gateway. */
export const PERSON_TOKEN = "transport-contract-".padEnd(43, "p");

export interface ServedScriptedGateway extends AsyncDisposable {
  readonly url: string;
  /** Lets gateway and server stop. */
  drain(): Promise<void>;
  addCredential(credential: HarnessCredential): Promise<void>;
}

/** The same gateway, served on loopback to one person. */
export async function serveScriptedGateway(
  options: Pick<ServerOptions, "publicUrl" | "streamLimits"> = {},
): Promise<ServedScriptedGateway> {
  const { gateway, dispose } = await openScriptedGateway();
  const server = createServer({
    gateway,
    clock: createSystemClock(),
    version: "0.0.0",
    personToken: PERSON_TOKEN,
    personName: PERSON,
    ...options,
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const drain = async (): Promise<void> => {
    await Promise.all([gateway.close(), server.close()]);
  };
  return {
    url,
    drain,
    addCredential: (credential) => addCredential(gateway, credential),
    async [Symbol.asyncDispose]() {
      await drain();
      await dispose();
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long its overview lists expired requests. */
const EXPIRED_MS = 200;

/** The person of every client. */
export const PERSON = "Owner";

export async function addCredential(
  { credentials }: Gateway,
  credential: HarnessCredential,
): Promise<void> {
  await credentials.add({
    person: PERSON,
    ...credential,
    tokenHash: `hash of ${credential.tokenId}`,
    createdAtMs: Date.UTC(2026, 0, 1),
    lastUsedAtMs: Date.UTC(2026, 0, 2),
  });
}

/** A gateway in memory whose agent follows the scripts of the transport contract. */
export async function openScriptedGateway(): Promise<{
  readonly gateway: Gateway;
  readonly dispose: () => Promise<void>;
}> {
  const store = createMemoryStore();
  const script: TurnScript = async ({ content }, context) => {
    const [word = "", ...rest] = content.split(" ");
    return (await runScript(word, rest.join(" "), context)) ?? { reason: "done" };
  };
  const agent = createScriptedAdapter(script, { takesAttachments: true });
  const gateway = await openGateway({
    store,
    clock: createSystemClock(),
    ids: createSystemIds(),
    agents: new Map([["scripted", agent]]),
    defaultCwd: "/work",
    overview: { expiredDays: EXPIRED_MS / DAY_MS },
  });
  const dispose = async (): Promise<void> => {
    await gateway.close();
    await agent[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  };
  return { gateway, dispose };
}

async function runScript(
  word: string,
  text: string,
  context: TurnContext,
): Promise<{ reason: "stopped" } | undefined> {
  switch (word) {
    case "say":
      return say(context, text);
    case "ask":
      return hold(context, QUESTIONS);
    case "approve":
      return hold(context, APPROVAL);
    case "expire":
      return hold(context, {
        ...APPROVAL,
        toolCallId: "call-expire",
        timeoutMs: 1,
        onTimeout: "deny",
      });
    default:
      await new Promise<void>((resolve) => {
        context.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      return { reason: "stopped" };
  }
}

async function say(context: TurnContext, text: string): Promise<undefined> {
  const messageId = "message";
  const message = { messageId, channel: "text" as const };
  context.delta({ type: "text_delta", ...message, text });
  // Long enough for a follower to see the text before it is complete.
  await createSystemClock().sleep(50, { signal: context.signal });
  await context.emit({ type: "assistant_message", ...message, text });
}

async function hold(
  context: TurnContext,
  request: HoldRequest,
): Promise<{ reason: "stopped" } | undefined> {
  const { toolCallId, toolName } = request;
  await context.emit({ type: "tool_call", toolCallId, toolName, input: { path: "a.txt" } });
  const result = await context.hold(request, { signal: context.signal });
  const message = { messageId: "message", channel: "text" as const };
  switch (result.outcome) {
    case "answered": {
      const { action, reason = "" } = result.response;
      const text =
        action === "deny" ? `denied: ${reason}` : JSON.stringify(result.input ?? result.response);
      await context.emit({ type: "tool_result", toolCallId, content: text, isError: false });
      await result.delivered();
      await context.emit({ type: "assistant_message", ...message, text });
      return undefined;
    }
    case "expired":
      await context.emit({ type: "tool_result", toolCallId, content: "No answer.", isError: true });
      return undefined;
    case "withdrawn":
      return { reason: "stopped" };
  }
}

const QUESTIONS: HoldRequest = {
  kind: "question",
  toolCallId: "call-ask",
  toolName: "Ask",
  questions: [
    {
      id: "q1",
      header: "Colour",
      question: "Which colour?",
      multiSelect: false,
      options: [
        { id: "o1", label: "Green" },
        { id: "o2", label: "Blue" },
      ],
    },
    {
      id: "q2",
      header: "Extras",
      question: "What else?",
      multiSelect: true,
      options: [
        { id: "o1", label: "Milk" },
        { id: "o2", label: "Salt, oat" },
      ],
    },
  ],
};

const APPROVAL: HoldRequest = {
  kind: "approval",
  toolCallId: "call-approve",
  toolName: "Write",
  input: { path: "a.txt" },
  display: {},
  scopes: ["once", "session"],
  scopeText: { session: "Writing a.txt, until this session ends." },
  editable: true,
  grantKey: "write a.txt",
};
