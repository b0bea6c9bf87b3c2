import type { ServerResponse } from "node:http";

/** One content block of the model's reply. */
export type ModelBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Record<string, unknown>;
    };

/** An error answer of the API. */
export interface ModelFailure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `stall`: after its blocks the stream stays open until the agent disconnects. */
export type ModelReply =
  | readonly ModelBlock[]
  | ModelFailure
  | { readonly blocks: readonly ModelBlock[]; readonly stall: true };

let toolCalls = 0;

export function say(text: string): ModelBlock {
  return { type: "text", text };
}

export function think(thinking: string): ModelBlock {
  return { type: "thinking", thinking };
}

/** A tool call; without an id it gets one that is unique in this process. */
export function callTool(name: string, input: Record<string, unknown>, id?: string): ModelBlock {
  toolCalls += 1;
  return { type: "tool_use", id: id ?? `toolu_scripted${toolCalls}`, name, input };
}

/** Such as `fail(401, "authentication_error")`, `fail(429, "rate_limit_error")`, `fail(529, "overloaded_error")`. */
export function fail(status: number, type: string, message = `scripted ${type}`): ModelFailure {
  return { status, type, message };
}

/** Sends the blocks, then nothing more: a turn that lasts until it is stopped. */
export function stall(blocks: readonly ModelBlock[] = []): ModelReply {
  return { blocks, stall: true };
}

export function isFailure(reply: ModelReply): reply is ModelFailure {
  return "status" in reply;
}

export function writeJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = { "content-type": "application/json" };
  response.writeHead(status, { ...headers, ...type }).end(JSON.stringify(body));
}

/** Writes a reply as the Messages API's event stream. */
export async function writeStream(
  response: ServerResponse,
  { model, reply }: { model: string; reply: Exclude<ModelReply, ModelFailure> },
): Promise<void> {
  const blocks = "blocks" in reply ? reply.blocks : reply;
  const stopReason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  toolCalls += 1;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const write = (type: string, fields: Record<string, unknown>): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  write("message_start", {
    message: {
      id: `msg_scripted${toolCalls}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        output_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    },
  });
  for (const [index, block] of blocks.entries()) {
    write("content_block_start", { index, content_block: emptyBlock(block) });
    for (const delta of deltas(block)) write("content_block_delta", { index, delta });
    write("content_block_stop", { index });
  }
  if ("stall" in reply) return;
  write("message_delta", {
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 20 },
  });
  write("message_stop", {});
  response.end();
}

function emptyBlock(block: ModelBlock): Record<string, unknown> {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
  }
}

function deltas(block: ModelBlock): Record<string, unknown>[] {
  switch (block.type) {
    case "text":
      return pieces(block.text).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "c2NyaXB0ZWQ=" },
      ];
    case "tool_use":
      return pieces(JSON.stringify(block.input)).map((text) => ({
        type: "input_json_delta",
        partial_json: text,
      }));
  }
}

/** Pieces of up to twelve characters that never cut a surrogate pair. */
function pieces(text: string): string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}
