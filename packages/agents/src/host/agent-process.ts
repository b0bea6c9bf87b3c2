import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import type { AgentCommand, AgentExit } from "./host-protocol.ts";

/** How long an agent has between SIGTERM and SIGKILL. Together with its detection, a lost gateway costs it less than 2 s. */
const TERMINATE_GRACE_MS = 1000;
/** How long a process that the agent left behind may keep its output open after the agent has ended. */
const OUTPUT_GRACE_MS = 500;

/** The agent, in its own process group. */
export interface AgentProcess {
  readonly process: ChildProcess;
  /** Sends the signal to the whole group. */
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM at once, SIGKILL after a second. The agent's input stays open until it is dead. */
  terminate(): void;
  /** Resolves once the agent is gone, its group is killed, and its output has been read. Rejects if it never started. */
  readonly exited: Promise<AgentExit>;
}

/**
 * Starts the agent. An agent takes the end of its input for an answer and continues without one, so only a frame of the
 * gateway ends its input.
 */
export function startAgent(start: AgentCommand): AgentProcess {
  const child = spawn(start.command, [...start.args], {
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
    env: { ...start.env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const gone = new AbortController();

  const signal = (name: NodeJS.Signals): void => {
    const isAlive = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isAlive) signalGroup(child.pid, name);
  };

  let terminating = false;
  const terminate = (): void => {
    if (terminating) return;
    terminating = true;
    signal("SIGTERM");
    sleep(TERMINATE_GRACE_MS, undefined, { signal: gone.signal }).then(
      () => signal("SIGKILL"),
      () => undefined, // it went by itself
    );
  };

  const exited = new Promise<AgentExit>((resolve, reject) => {
    child.once("error", (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", (code, exitSignal) => {
      gone.abort();
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      const closed = new AbortController();
      const exit = { code, signal: exitSignal };
      child.once("close", () => {
        closed.abort();
        resolve(exit);
      });
      sleep(OUTPUT_GRACE_MS, undefined, { signal: closed.signal }).then(
        () => resolve(exit),
        () => undefined, // all output was read
      );
    });
  });

  return { process: child, signal, terminate, exited };
}

/** Signals every process of the group; one that is gone already is no error. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: only zombies, or processes that changed their user, are left.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
