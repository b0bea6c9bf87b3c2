import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A person's message to the model: "Run: COMMAND", or "Ask: QUESTION", which it asks with the gateway's tool. */
const ORDER = /^(Run|Ask): (.+)$/m;

interface Item {
  readonly type?: string;
  readonly output?: unknown;
  readonly content?: readonly { readonly text?: string }[];
}

interface Ask {
  readonly input?: readonly Item[];
  readonly tools?: readonly { readonly name?: string }[];
}

interface Tool {
  readonly name: string;
  /** The MCP server that has the tool. */
  readonly namespace?: string;
  readonly input: object;
}

/**
 * A model behind the Responses API, on loopback: it runs the requested command once, and then reports that it has
 * finished.
 */
export async function openResponsesModel() {
  const results: string[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const ask = request.url?.endsWith("/responses") ? ((await json(request)) as Ask) : undefined;
      if (!ask) return void response.writeHead(404).end();
      const last = ask.input?.at(-1);
      const isResult = last?.type === "function_call_output";
      if (isResult) results.push(JSON.stringify(last.output));
      const [, kind, text] = ORDER.exec(last?.content?.at(-1)?.text ?? "") ?? [];
      // Codex also asks for a title of the session, without any tools.
      const mayRun = ask.tools?.some(({ name }) => name === "exec_command") === true;
      const isOrder = !isResult && text !== undefined && mayRun;
      if (isOrder) calls += 1;
      const toCall = kind === "Ask" ? toQuestion : toCommand;
      const item = isOrder ? toCall(calls, text) : toMessage(`Finished ${calls}.`);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const id = `resp_${results.length}_${calls}`;
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      for (const event of [
        { type: "response.created", response: { id } },
        { type: "response.output_item.added", output_index: 0, item },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { id, usage } },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** The results that the agent got for its calls. */
    results,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function toCommand(number: number, cmd: string): object {
  const input = { cmd, sandbox_permissions: "require_escalated", justification: "It has to." };
  return toCall(number, { name: "exec_command", input });
}

function toQuestion(number: number, question: string): object {
  return toCall(number, { namespace: "mcp__holdpoint", name: "ask_user", input: { question } });
}

function toCall(number: number, { input, ...tool }: Tool): object {
  return {
    type: "function_call",
    id: `fc_${number}`,
    call_id: `call_${number}`,
    ...tool,
    arguments: JSON.stringify(input),
  };
}

function toMessage(text: string): object {
  const content = [{ type: "output_text", text }];
  return { type: "message", role: "assistant", id: `msg_${text}`, content };
}
