import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An agent's call, with its id in the runtime. */
export interface CalledTool {
  readonly toolCallId: unknown;
  readonly credential: string | undefined;
}

/** An MCP server with one tool, `probe`. Calls of it wait until they are answered. */
export interface ProbeServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly CalledTool[];
  /** Answers the calls from now on. */
  answer(text: string): void;
}

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const PROBE = { name: "probe", description: "Waits.", inputSchema: { type: "object" } };

export async function openProbeServer(): Promise<ProbeServer> {
  const calls: CalledTool[] = [];
  let answer: string | undefined;
  const resultOf = ({ method, params }: Request): object | undefined => {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params?.["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "probe", version: "1" },
        };
      case "tools/list":
        return { tools: [PROBE] };
      case "tools/call":
        return answer === undefined ? undefined : { content: [{ type: "text", text: answer }] };
      default:
        return {};
    }
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      if (incoming.method !== "POST") return void response.writeHead(405).end();
      const request = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Request;
      if (request.id === undefined) return void response.writeHead(202).end();
      if (request.method === "tools/call") {
        const about = Object(request.params?.["_meta"]) as Record<string, unknown>;
        const toolCallId = about["claudecode/toolUseId"];
        calls.push({ toolCallId, credential: incoming.headers.authorization });
      }
      const result = resultOf(request);
      // A person is thinking: the response has begun, and does not end.
      if (!result) {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": \n\n");
        return;
      }
      const body = JSON.stringify({ jsonrpc: "2.0", id: request.id, result });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    answer(text) {
      answer = text;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
