/*
 * An MCP server over standard streams that asks people. Its tool `elicit` sends each of `requests` as
 * `elicitation/create`, all at once, and returns the answers. When the file `cancelWhen` appears, it cancels its open
 * requests; when `completeWhen` appears, it reports all its visits as complete.
 */
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Arguments {
  readonly requests?: readonly Record<string, unknown>[];
  readonly cancelWhen?: string;
  readonly completeWhen?: string;
}

const POLL_MS = 50;

const open = new Map<string, (answer: unknown) => void>();
let asked = 0;

function say(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function elicit({ requests = [], cancelWhen, completeWhen }: Arguments): Promise<unknown[]> {
  const ids: string[] = [];
  const answers = requests.map((params) => {
    const id = `ask_${(asked += 1)}`;
    ids.push(id);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    open.set(id, resolve);
    say({ id, method: "elicitation/create", params });
    return promise;
  });
  if (cancelWhen !== undefined) {
    await fileIsThere(cancelWhen);
    for (const id of ids) {
      say({ method: "notifications/cancelled", params: { requestId: id, reason: "Not needed" } });
      open.get(id)?.("cancelled by the server");
    }
  }
  if (completeWhen !== undefined) {
    await fileIsThere(completeWhen);
    for (const { elicitationId } of requests) {
      say({ method: "notifications/elicitation/complete", params: { elicitationId } });
    }
  }
  return Promise.all(answers);
}

async function fileIsThere(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(POLL_MS);
}

async function answer({ id, method, params = {} }: Message): Promise<void> {
  if (id === undefined) return;
  switch (method) {
    case "initialize":
      say({
        id,
        result: {
          protocolVersion: params["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "eliciting", version: "1.0.0" },
        },
      });
      return;
    case "tools/list":
      say({ id, result: { tools: [{ name: "elicit", inputSchema: { type: "object" } }] } });
      return;
    case "tools/call": {
      const answers = await elicit(params["arguments"] ?? {});
      say({ id, result: { content: [{ type: "text", text: JSON.stringify(answers) }] } });
      return;
    }
    case "ping":
      say({ id, result: {} });
      return;
    default:
      say({ id, error: { code: -32601, message: "Method not found" } });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  if (message.method === undefined) {
    open.get(String(message.id))?.(message.result ?? message.error);
    open.delete(String(message.id));
  } else {
    void answer(message);
  }
}
