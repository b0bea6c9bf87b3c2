import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { AgentCommand, AgentExit } from "./host-protocol.ts";
import { MARK_NAME, watchAgent, type Watchdog } from "./watchdog.ts";

/**
 * How long an agent has between SIGTERM and SIGKILL. Including detection, an agent ends within 2 s of losing its
 * gateway.
 */
const TERMINATE_GRACE_MS = 1000;
/** How long a process that the agent left behind may keep its output open after the agent's end. */
const OUTPUT_GRACE_MS = 500;

/** The agent in its own process group. It dies with this process, however this process dies. */
export interface AgentProcess {
  readonly process: ChildProcess;
  /** A mark in the environment of every process that the agent starts. */
  readonly mark: string;
  /** Sends the signal to the agent's process group. */
  signal(signal: NodeJS.Signals): void;
  /** Stops every process of the agent until `thaw`. */
  freeze(): void;
  thaw(): void;
  /**
   * Sends SIGTERM, and after a second kills every process that the agent has started. A frozen agent is killed at once.
   * The agent's input stays open until it is dead.
   */
  terminate(): void;
  /**
   * Resolves once the agent is gone and its output has been read. Unless it exited with code 0, all processes that it
   * has started are gone too. Rejects if it never started.
   */
  readonly exited: Promise<AgentExit>;
}

/** Starts the agent. An agent takes the end of its input for an answer, so only a gateway's frame ends the input. */
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
    () => undefined, // the agent ended in time
  );
}

function waitForExit(child: ChildProcess, watchdog: Watchdog | undefined): Promise<AgentExit> {
  const finish = async (exit: AgentExit): Promise<AgentExit> => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    // Processes left behind by a successful agent were meant to stay, such as a server that it was asked to start.
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

/** Signals every process of the group; a group that is gone is no error. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: only zombies, or processes that changed their user, are left.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
