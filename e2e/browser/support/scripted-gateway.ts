import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import {
  type AgentAdapter,
  type Clock,
  createSystemClock,
  createSystemIds,
  type GatewayOptions,
  type HoldRequest,
  openGateway,
} from "@holdpoint/engine";
import { createScriptedAdapter, type TurnScript } from "@holdpoint/engine/testing";
import { type AgentInfo, inEnglish, type Saying } from "@holdpoint/protocol";
import { createServer } from "@holdpoint/server";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { Api } from "../../support/api.ts";
import { TOKEN } from "../../support/gateway-process.ts";

const WEB_ROOT = fileURLToPath(new URL("../../../packages/web/dist", import.meta.url));

export interface ScriptedGateway extends AsyncDisposable {
  readonly url: string;
  nextLink(): Promise<string>;
  /** Starts a session and sends its agent one message. */
  start(title?: string): Promise<string>;
}

export interface ScriptedGatewayOptions extends Pick<
  GatewayOptions,
  "overview" | "parkAfterMs" | "refuseCwd"
> {
  /** Overrides of the agent's description. */
  readonly agent?: Partial<AgentInfo>;
  /** The reason why a second agent cannot be started. */
  readonly away?: Saying;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** The real engine, store, server and page around an agent that does what the script says. */
export async function openScriptedGateway(
  script: TurnScript,
  { agent, away, clock = createSystemClock(), ...options }: ScriptedGatewayOptions = {},
): Promise<ScriptedGateway> {
  await using starting = new AsyncDisposableStack();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-scripted-")));
  starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const store = starting.use(await openSqliteStore({ dataDir: join(folder, "data") }));
  const parks = options.parkAfterMs === undefined ? {} : ({ canPark: true } as const);
  const gateway = starting.use(
    await openGateway({
      store,
      credentials: store.credentials,
      clock,
      ids: createSystemIds(),
      agents: new Map([
        ["scripted", createScriptedAdapter(script, { ...parks, ...agent })],
        ...(away ? [["away", createAway(away)] as const] : []),
      ]),
      defaultCwd: folder,
      ...options,
      onError: (error) => {
        throw error;
      },
    }),
  );
  const server = starting.use(
    createServer({
      gateway,
      clock,
      version: "0.0.0",
      webRoot: WEB_ROOT,
      personToken: TOKEN,
    }),
  );
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const running = starting.move();
  const api = new Api(url);
  return {
    url,
    nextLink: async () => server.createLaunchUrl(),
    async start(title = "Begin") {
      const { sessionId } = await api.createSession({ agent: "scripted" });
      await api.send(sessionId, title);
      return sessionId;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function createAway(unavailableReason: Saying): AgentAdapter {
  const said = { unavailableReason: [unavailableReason] };
  const why = { available: false, unavailableReason: inEnglish(unavailableReason), said };
  return createScriptedAdapter(sayAndAsk([], []), { agent: "away", label: "Claude", ...why });
}

/** Says the texts, asks all of the requests at once, and ends when each has its response. */
export function sayAndAsk(texts: readonly string[], requests: readonly HoldRequest[]): TurnScript {
  return async (message, context) => {
    for (const [index, text] of texts.entries()) {
      const messageId = `${message.messageId}_${index}`;
      await context.emit({ type: "assistant_message", messageId, text, channel: "text" });
    }
    await Promise.all(
      requests.map(async (request) => {
        const { toolCallId, toolName } = request;
        const input = request.kind === "approval" ? request.input : {};
        await context.emit({ type: "tool_call", toolCallId, toolName, input });
        const result = await context.hold(request, { signal: context.signal });
        if (result.outcome === "answered") await result.delivered();
        const content = result.outcome;
        await context.emit({ type: "tool_result", toolCallId, content, isError: false });
      }),
    );
    return { reason: context.signal.aborted ? "stopped" : "done" };
  };
}
