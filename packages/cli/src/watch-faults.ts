import { describeError } from "@holdpoint/server";
import type { Logger } from "pino";

import { callOfFault } from "./tools/contain-faults.ts";

export interface FaultWatch {
  /** Says what to do about a fault that no tool has caused. Until then, such a fault ends the process at once. */
  onFatal(end: () => void): void;
}

/**
 * What happens to errors that nothing has handled. One that a tool's handler left behind ends that call and is logged; a
 * promise that it forgot is only logged. A call that the system has refused has changed nothing, and an end would not help:
 * it is logged. Any other exception ends the gateway in order, since nothing is known of its state then. The log never
 * holds an error's message, which may hold an answer.
 */
export function watchFaults(log: Pick<Logger, "error" | "fatal">): FaultWatch {
  let endGateway = endAtOnce;
  let isServing = false;
  process.on("unhandledRejection", (reason) => {
    const { toolName } = callOfFault() ?? {};
    const facts = { ...describeError(reason), ...(toolName !== undefined && { toolName }) };
    log.error(facts, "a promise was rejected and nothing handled it");
  });
  process.on("uncaughtException", (error) => {
    const call = callOfFault();
    if (call) {
      const facts = { ...describeError(error), toolName: call.toolName };
      log.error(facts, "a tool threw outside of its handler: its call ends");
      call.end(error);
      return;
    }
    if (isServing && isOfSystem(error)) {
      log.error(describeError(error), "the system refused a call: the gateway continues");
      return;
    }
    log.fatal(describeError(error), "an exception was not handled: the gateway ends");
    endGateway();
  });
  return {
    onFatal(end) {
      endGateway = end;
      isServing = true;
    },
  };
}

/** A file, a process or a connection that the system has refused, such as on a full disk or without free file descriptors. */
function isOfSystem(error: Error): boolean {
  return "errno" in error && typeof error.errno === "number" && "syscall" in error;
}

function endAtOnce(): void {
  process.exit(1);
}
