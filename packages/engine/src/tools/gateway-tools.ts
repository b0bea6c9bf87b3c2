import { ToolCalls, type CallToolParts } from "./call-tool.ts";
import { findCall, type FoundCall } from "./find-call.ts";
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
  /** A call that has asked something, also one of an earlier gateway; `undefined` when there is none with this id. */
  find(sessionId: string, toolCallId: string): Promise<FoundCall | undefined>;
  /**
   * The id of a call of this tool with these arguments that an earlier gateway's death has cut short, so that its caller goes
   * on with what it asked. Each is given once: the caller starts it at once.
   */
  takeLeft(sessionId: string, name: string, args: unknown): Promise<string | undefined>;
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
    find: (sessionId, toolCallId) => guard(findCall(parts.store, sessionId, toolCallId)),
    takeLeft: (sessionId, name, args) => guard(calls.takeLeft(sessionId, name, args)),
    replace: (tools) => registry.replace(tools),
  };
}
