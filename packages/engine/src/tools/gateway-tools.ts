import { ToolCalls, type CallToolParts } from "./call-tool.ts";
import { readLateAnswers, type LateAnswers } from "./late-answers.ts";
import type { ToolCall, ToolCallOptions, ToolCallRequest } from "./running-call.ts";
import type { ToolInfo, ToolRegistry } from "./tool-registry.ts";

/** The tools that the gateway offers to agents. */
export interface GatewayTools {
  /** The same array until the tools are replaced. */
  list(): readonly ToolInfo[];
  /**
   * Runs a call in the session's running turn, or in a new turn when none runs. The same call coming again joins the
   * running one. When the gateway died, the same call coming again resumes: answers that were given are used again.
   */
  call(request: ToolCallRequest, options: ToolCallOptions): ToolCall;
  /** What the session's agent asked without waiting for it, and what came of it. */
  lateAnswers(sessionId: string): Promise<LateAnswers>;
  /** Offers these instead, beside the built-in ones. Throws `TypeError`, and changes nothing, when one cannot be used. */
  replace(tools: readonly unknown[]): void;
}

/** `guard` turns every rejection into a `ProtocolError`. */
export function createGatewayTools(
  parts: CallToolParts,
  registry: ToolRegistry,
  guard: <TResult>(result: Promise<TResult>) => Promise<TResult>,
): GatewayTools {
  const calls = new ToolCalls(parts, registry);
  return {
    list: () => registry.list(),
    call(request, options) {
      const call = calls.start(request, options);
      const result = guard(call.result);
      // A caller that gave the call up does not look at its result any more.
      result.catch(() => undefined);
      return { result, finishAsQueued: () => call.finishAsQueued() };
    },
    lateAnswers: (sessionId) => guard(readLateAnswers(parts.store, sessionId)),
    replace: (tools) => registry.replace(tools),
  };
}
