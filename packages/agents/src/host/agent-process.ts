import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { AgentCommand, AgentExit } from "./host-protocol.ts";
import { MARK_NAME, watchAgent, type Watchdog } from "./watchdog.ts";

/** How long an agent has between SIGTERM and SIGKILL. Together with its detection, a lost gateway costs it less than 2 s. */
const TERMINATE_GRACE_MS = 1000;
/** How long a process that the agent left behind may keep its output open after the agent has ended. */
const OUTPUT_GRACE_MS = 500;

/** The agent, in its own process group. It dies with this process, however this process dies. */
export interface AgentProcess {
  readonly process: ChildProcess;
  /** Every process that the agent starts has it in its environment. */
  readonly mark: string;
  /** Sends the signal to the agent's group. */
  signal(signal: NodeJS.Signals): void;
  /** Stops every process of the agent where it is, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /**
   * SIGTERM at once, and after a second the death of every process that it has started. One that is frozen is killed at
   * once. The agent's input stays open until it is dead.
   */
  terminate(): void;
  /**
   * Resolves once the agent is gone and its output has been read. Unless it ended well by itself, all that it has
   * started is gone too. Rejects if it never started.
   */
  readonly exited: Promise<AgentExit>;
}

/**
 * Starts the agent. An agent takes the end of its input for an answer and continues without one, so only a frame of the
 * gateway ends its input.
 */
export function startAgent(start: AgentCommand): AgentProcess {
  const mark = randomUUID();
  const child = spawn(start.command, [...start.args], {
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
    env: { ...start.env, [MARK_NAME]: mark },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    const isAlive = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isAlive) signalGroup(child.pid, name);
  };
  const watchdog =
    child.pid === undefined
      ? undefined
      : watchAgent({ process: child, mark }, () => signal("SIGKILL"));
  const gone = new AbortController();
  child.once("exit", () => gone.abort());

  let isFrozen = false;
  const kill = (): void => {
    signal("SIGKILL");
    void watchdog?.end();
  };
  return {
    process: child,
    mark,
    signal,
    freeze() {
      isFrozen = true;
      signal("SIGSTOP");
      watchdog?.freeze();
    },
    thaw() {
      if (!isFrozen) return;
      isFrozen = false;
      watchdog?.thaw();
    },
    terminate() {
      if (isFrozen) kill();
      else terminate({ signal, kill, gone: gone.signal });
    },
    exited: waitForExit(child, watchdog),
  };
}

interface Termination {
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly kill: () => void;
  readonly gone: AbortSignal;
}

function terminate({ signal, kill, gone }: Termination): void {
  signal("SIGTERM");
  sleep(TERMINATE_GRACE_MS, undefined, { signal: gone }).then(
    kill,
    () => undefined, // it went by itself
  );
}

function waitForExit(child: ChildProcess, watchdog: Watchdog | undefined): Promise<AgentExit> {
  const finish = async (exit: AgentExit): Promise<AgentExit> => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    // What an agent that ends well leaves behind was meant to stay, such as a server that it was asked to start.
    if (exit.code === 0) watchdog?.release();
    else await watchdog?.end();
    return exit;
  };
  return new Promise<AgentExit>((resolve, reject) => {
    child.once("error", (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", (code, signal) => {
      const finished = finish({ code, signal });
      const closed = new AbortController();
      child.once("close", () => closed.abort());
      sleep(OUTPUT_GRACE_MS, undefined, { signal: closed.signal })
        .catch(() => undefined) // all output was read
        .then(() => finished)
        .then(resolve, reject);
    });
  });
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
