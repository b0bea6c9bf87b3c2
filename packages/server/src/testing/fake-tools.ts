import type { FoundCall, LateAnswers, ToolCallRequest, ToolCallResult } from "@holdpoint/engine";

import type { ServedTools } from "../mcp/served-tools.ts";

/** One call, which the test can inspect and end. */
export interface FakeCall {
  readonly request: ToolCallRequest;
  readonly signal: AbortSignal;
  readonly connection: AbortSignal | undefined;
  readonly finish: (result: ToolCallResult) => void;
  /** Makes it wait for a person. */
  readonly ask: (interactionId: string) => void;
}

export interface FakeTools extends ServedTools {
  /** In order of arrival. */
  readonly calls: FakeCall[];
  names: readonly string[];
  late: LateAnswers;
  /** The logged calls that do not run, by id. */
  readonly logged: Map<string, FoundCall>;
  /** The id of an earlier gateway's call. */
  left: string | undefined;
}

/** Tools whose calls wait until the test finishes them, or until they are cancelled or queued. */
export function createFakeTools(): FakeTools {
  const tools: FakeTools = {
    calls: [],
    logged: new Map(),
    left: undefined,
    takeLeft: async () => tools.left,
    find: async (_sessionId, toolCallId) => tools.logged.get(toolCallId),
    names: ["ask_user"],
    late: { waiting: [], answers: [] },
    lateAnswers: () => Promise.resolve(tools.late),
    list: () =>
      tools.names.map((name) => ({
        name,
        description: `The tool ${name}`,
        readOnly: name === "ask_user",
        inputSchema: { type: "object", properties: { question: { type: "string" } } },
      })),
    call(request, { signal, connection, onAsked }) {
      const { promise, resolve } = Promise.withResolvers<ToolCallResult>();
      signal.addEventListener("abort", () => resolve({ content: '"cancelled"', isError: true }));
      const askPerson = (interactionId: string): void => onAsked?.(interactionId);
      tools.calls.push({ request, signal, connection, finish: resolve, ask: askPerson });
      return {
        result: promise,
        finishAsQueued: () =>
          resolve({
            content: '{"status":"queued"}',
            isError: false,
            structured: { status: "queued" },
          }),
      };
    },
  };
  return tools;
}
