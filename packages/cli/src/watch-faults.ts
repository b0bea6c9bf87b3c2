import { describeError } from "@holdpoint/server";
import type { Logger } from "pino";

import { callOfFault } from "./tools/contain-faults.ts";

export interface FaultWatch {
  /** Sets the handler for errors that no tool has caused. Without a handler, such an error ends the process at once. */
  onFatal(end: () => void): void;
}

/**
 * Handles uncaught errors. An exception from a tool's handler ends that call and is logged; a forgotten promise is only
 * logged. A refused system call has changed nothing, and ending would not help, so it is logged. Any other exception
 * ends the gateway gracefully, since its state is unknown. The log never contains an error's message, which may contain
 * an answer.
 */
export function watchFaults(log: Pick<Logger, "error" | "fatal">): FaultWatch {
  let endGateway = endAtOnce;
  let isServing = false;
  process.on("unhandledRejection", (reason) => {
    const { toolName } = callOfFault() ?? {};
    const facts = { ...describeError(reason), ...(toolName !== undefined && { toolName }) };
    log.error(facts, "an unhandled promise rejection");
  });
  process.on("uncaughtException", (error) => {
    const call = callOfFault();
    if (call) {
      const facts = { ...describeError(error), toolName: call.toolName };
      log.error(facts, "a tool threw an error outside its handler: its call ends");
      call.end(error);
      return;
    }
    if (isServing && isOfSystem(error)) {
      log.error(describeError(error), "the system refused a call: the gateway continues");
      return;
    }
    log.fatal(describeError(error), "an unhandled exception: the gateway stops");
    endGateway();
  });
  return {
    onFatal(end) {
      endGateway = end;
      isServing = true;
    },
  };
}

/**
 * Whether the system has refused access to a file, a process or a connection, such as on a full disk or without free
 * file descriptors.
 */
function isOfSystem(error: Error): boolean {
  return "errno" in error && typeof error.errno === "number" && "syscall" in error;
}

function endAtOnce(): void {
  process.exit(1);
}
