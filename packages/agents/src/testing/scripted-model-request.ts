import type { IncomingHttpHeaders } from "node:http";

/** The result of one tool call, as the agent sends it to the model. */
export interface ModelToolResult {
  readonly toolCallId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** One request of the agent, with the parts that scripts and assertions use. */
export interface ModelRequest {
  readonly model: string;
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** The texts of the first user message, which started this conversation or this sub-agent. */
  readonly firstPrompt: string;
  /** The texts of the last user message, without tool results. */
  readonly lastPrompt: string;
  /** The results in the last user message. */
  readonly results: readonly ModelToolResult[];
  /** Every result in the conversation so far. */
  readonly allResults: readonly ModelToolResult[];
  /** No tools are offered: a helper request of the agent program, not part of the conversation. */
  readonly isHelper: boolean;
  readonly apiKey: string | undefined;
  /** The whole body. */
  readonly body: Record<string, unknown>;
}

interface RawBlock {
  readonly type?: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

interface RawMessage {
  readonly role: string;
  readonly content: unknown;
}

export function parseModelRequest(body: string, headers: IncomingHttpHeaders): ModelRequest {
  const parsed = JSON.parse(body) as Record<string, unknown>;
  const messages = (parsed["messages"] ?? []) as RawMessage[];
  const users = messages.filter((message) => message.role === "user");
  const tools = ((parsed["tools"] ?? []) as { name: string }[]).map((tool) => tool.name);
  const key = headers["x-api-key"];
  return {
    model: String(parsed["model"]),
    tools,
    firstPrompt: textOf(users[0]?.content),
    lastPrompt: textOf(users.at(-1)?.content),
    results: resultsOf(users.at(-1)),
    allResults: users.flatMap(resultsOf),
    isHelper: tools.length === 0,
    apiKey: Array.isArray(key) ? key[0] : key,
    body: parsed,
  };
}

function blocksOf(content: unknown): RawBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as RawBlock[]) : [];
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .filter((block) => block.type === "text")
    .map((block) => block.text ?? "")
    .join("\n");
}

function resultsOf(message: RawMessage | undefined): ModelToolResult[] {
  return blocksOf(message?.content)
    .filter((block) => block.type === "tool_result")
    .map((block) => ({
      toolCallId: block.tool_use_id ?? "",
      text: textOf(block.content),
      isError: block.is_error === true,
    }));
}
