import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { isFailure, writeJson, writeStream, type ModelReply } from "./scripted-model-reply.ts";
import { parseModelRequest, type ModelRequest } from "./scripted-model-request.ts";

/** Returns the model's reply to one request. A rejection becomes a 500 and is recorded as a failure. */
export type ModelScript = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

/**
 * A loopback stand-in for Anthropic's Messages API, for tests that run the real agent binary:
 *
 *     await using model = await openScriptedModel(inOrder([[callTool("Bash", { command: "ls" })], [say("Done.")]]));
 *     const env = { ...process.env, ...model.env(configDir) };
 *
 * Helper requests (no tools offered, such as those that make a title) are answered automatically and never
 * reach the script.
 */
export interface ScriptedModel extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  readonly baseUrl: string;
  /** Every request that reached the script, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Errors that scripts have thrown; tests usually expect none. */
  readonly failures: readonly unknown[];
  /** Replaces the script from the next request on. */
  play(script: ModelScript): void;
  /** Breaks every connection while it is unplugged. It keeps its port. */
  unplug(): void;
  plugIn(): void;
  /**
   * Variables that make the agent use only this model, and fail at once when it cannot. Its commands do not run the
   * startup files of this account's shell.
   */
  env(configDir: string): Record<string, string>;
}

/** Starts listening on a free port. Disposing ends every connection. */
export async function openScriptedModel(script: ModelScript): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const failures: unknown[] = [];
  let current = script;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? "/").split("?")[0];
    const body = await readBody(incoming);
    if (incoming.method !== "POST") return writeJson(response, 200, {});
    if (path === "/v1/messages/count_tokens") return writeJson(response, 200, { input_tokens: 10 });
    if (path !== "/v1/messages") return writeJson(response, 404, { type: "error" });
    const request = parseModelRequest(body, incoming.headers);
    const reply = request.isHelper ? [{ type: "text" as const, text: "ok" }] : await play(request);
    if (isFailure(reply)) {
      const error = { type: reply.type, message: reply.message };
      return writeJson(response, reply.status, { type: "error", error }, reply.headers);
    }
    await writeStream(response, { model: request.model, reply });
  }

  async function play(request: ModelRequest): Promise<ModelReply> {
    requests.push(request);
    return current(request);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      failures.push(error);
      if (response.headersSent) response.destroy();
      else writeJson(response, 500, { type: "error", error: { type: "api_error", message: "x" } });
    });
  });
  // Claude retries nothing here: reusing a connection that is just being closed would be a failure.
  server.keepAliveTimeout = 0;
  let isPlugged = true;
  server.on("connection", (socket) => isPlugged || socket.resetAndDestroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    baseUrl,
    requests,
    failures,
    play(next) {
      current = next;
    },
    unplug() {
      isPlugged = false;
      server.closeAllConnections();
    },
    plugIn: () => void (isPlugged = true),
    env: (configDir) => ({
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: "scripted-model-key",
      CLAUDE_CONFIG_DIR: configDir,
      HOME: configDir,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Gives each request the next reply; rejects (500) when there is none left. */
export function inOrder(replies: readonly ModelReply[]): ModelScript {
  let next = 0;
  return () => {
    const reply = replies[next];
    next += 1;
    if (reply === undefined) throw new Error(`the script has only ${replies.length} replies`);
    return reply;
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
