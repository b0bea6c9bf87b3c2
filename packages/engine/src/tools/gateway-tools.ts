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
   * Runs a call in the session's running turn, or in a new turn if none is running. If the same call comes again, it
   * joins the running one. After the gateway has died, the same call resumes: answers that were given are used again.
   */
  call(request: ToolCallRequest, options: ToolCallOptions): ToolCall;
  /** The requests that the session's agent did not wait for, and their answers. */
  lateAnswers(sessionId: string): Promise<LateAnswers>;
  /**
   * A call that has asked something, including calls of a previous gateway; `undefined` if there is none with this id.
   */
  find(sessionId: string, toolCallId: string): Promise<FoundCall | undefined>;
  /**
   * The id of a call of this tool with these arguments that was cut short by the death of a previous gateway, so that
   * its caller can continue it. Each id is returned once, and the caller must start the call at once.
   */
  takeLeft(sessionId: string, name: string, args: unknown): Promise<string | undefined>;
  /**
   * Offers these tools in place of the previous ones; built-in tools stay. Throws `TypeError`, and changes nothing, if
   * one of them cannot be used.
   */
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
      // A caller that has given the call up no longer looks at its result.
      result.catch(() => undefined);
      return { result, finishAsQueued: () => call.finishAsQueued() };
    },
    lateAnswers: (sessionId) => guard(readLateAnswers(parts.store, sessionId)),
    find: (sessionId, toolCallId) => guard(findCall(parts.store, sessionId, toolCallId)),
    takeLeft: (sessionId, name, args) => guard(calls.takeLeft(sessionId, name, args)),
    replace: (tools) => registry.replace(tools),
  };
}
