import { AsyncLocalStorage } from "node:async_hooks";

import type { Tool } from "@holdpoint/engine";

/** A tool call that errors can be attributed to. */
export interface FaultyCall {
  readonly toolName: string;
  /** Ends the call with this error, unless it has ended. */
  readonly end: (error: unknown) => void;
}

const calls = new AsyncLocalStorage<FaultyCall>();

/**
 * Wraps a tool so that an error thrown in a timer or an event ends the call, as if the handler itself had thrown it.
 */
export function containFaults(tool: Tool): Tool {
  const handler = (...input: Parameters<Tool["handler"]>): Promise<unknown> => {
    const fault = Promise.withResolvers<never>();
    // Unobserved after the end of the call.
    fault.promise.catch(() => undefined);
    return calls.run({ toolName: tool.name, end: fault.reject }, () =>
      Promise.race([runHandler(tool, input), fault.promise]),
    );
  };
  // Not a copy, because a tool may be an instance of a class.
  return Object.create(tool, { handler: { value: handler } }) as Tool;
}

/** For handlers of `uncaughtException` or `unhandledRejection`: the call that caused the error. */
export function callOfFault(): FaultyCall | undefined {
  return calls.getStore();
}

async function runHandler(tool: Tool, input: Parameters<Tool["handler"]>): Promise<unknown> {
  return tool.handler(...input);
}
