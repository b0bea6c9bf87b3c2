import { Worker } from "node:worker_threads";

import type { Clock } from "@holdpoint/engine";

import type { CrashMarks } from "./crash-marks.ts";
import type { Judge } from "./judge-tool-use.ts";
import type { Verdict } from "./protected-paths.ts";
import type { JudgeReply, JudgeRequest } from "./serve-judges.ts";

export interface JudgePoolOptions {
  /** The worker program, which calls `serveJudges`. */
  readonly program: URL;
  /** The setup from which the program creates its judges. It is copied to each thread. */
  readonly setup: unknown;
  readonly clock: Clock;
  /** Remembers the calls whose check a gateway did not survive. Default: not remembered. */
  readonly marks?: CrashMarks | undefined;
  /** Time limit for one check. Default: 10 seconds. */
  readonly limitMs?: number;
  /** Maximum number of checks at the same time. Default: 4. */
  readonly size?: number;
}

/** Judges in their own threads, so that no tool call can stall the gateway or use up its memory. */
export interface JudgePool extends AsyncDisposable {
  /**
   * The judge with this name. A person is asked if the call's check takes too long or too much memory, fails or is
   * aborted, or if a gateway ended during an earlier check. Never rejects.
   */
  judge(name: string): Judge;
}

const DEFAULT_LIMIT_MS = 10_000;
const DEFAULT_SIZE = 4;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

const UNCHECKED: Verdict = {
  action: "ask",
  reason:
    "The check of this call failed, or took too much time or memory. Read all of it before you allow it.",
};
const KILLED: Verdict = {
  action: "ask",
  reason:
    "The gateway ended while it checked this call, so it does not check it again. Read all of it before you allow it.",
};

/** No thread starts before the first call. */
export function openJudgePool(options: JudgePoolOptions): JudgePool {
  const { clock, marks, limitMs = DEFAULT_LIMIT_MS, size = DEFAULT_SIZE } = options;
  const disposed = new AbortController();
  const idle: JudgeThread[] = [];
  const all = new Set<JudgeThread>();
  const waiting: (() => void)[] = [];
  let running = 0;

  const take = (): JudgeThread => {
    const kept = idle.pop();
    if (kept?.isAlive) return kept;
    const thread = new JudgeThread(options, () => all.delete(thread));
    all.add(thread);
    return thread;
  };
  const giveBack = (thread: JudgeThread): void => {
    // One ready thread is enough: simultaneous calls can wait for a start.
    if (thread.isAlive && idle.length === 0) idle.push(thread);
    else void thread.end();
  };

  async function check(request: JudgeRequest, signal: AbortSignal): Promise<Verdict | undefined> {
    if (running >= size) await untilFree(waiting, signal);
    running += 1;
    const thread = take();
    try {
      return await thread.ask(request, { clock, limitMs, signal });
    } finally {
      running -= 1;
      giveBack(thread);
      waiting.shift()?.();
    }
  }

  return {
    judge: (name) => async (use, signal) => {
      const signals = AbortSignal.any([disposed.signal, ...(signal ? [signal] : [])]);
      if (marks?.isMarked(use)) return KILLED;
      using _ = marks?.mark(use);
      return await check({ name, use }, signals).catch(() => UNCHECKED);
    },
    async [Symbol.asyncDispose]() {
      disposed.abort(new Error("gateway closed"));
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}

async function untilFree(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => {
    waiting.splice(waiting.indexOf(resolve), 1);
    reject(signal.reason);
  };
  waiting.push(resolve);
  signal.addEventListener("abort", onAbort, { once: true });
  await promise.finally(() => signal.removeEventListener("abort", onAbort));
}

interface AskOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A thread that checks one call at a time. */
class JudgeThread {
  readonly #worker: Worker;
  readonly #isOnline: Promise<void>;
  readonly #failed: Promise<never>;
  isAlive = true;

  constructor({ program, setup }: JudgePoolOptions, onEnd: () => void) {
    this.#worker = new Worker(program, { workerData: setup, resourceLimits: MEMORY });
    // Only a running check keeps the process alive.
    this.#worker.unref();
    const failed = Promise.withResolvers<never>();
    this.#failed = failed.promise;
    this.#failed.catch(() => undefined); // handled by the running check, if there is one
    const lose = (error: Error): void => {
      this.isAlive = false;
      onEnd();
      failed.reject(error);
    };
    this.#worker.once("error", lose);
    this.#worker.once("exit", () => lose(new Error("judge thread ended")));
    const online = Promise.withResolvers<void>();
    this.#isOnline = online.promise;
    this.#worker.once("online", online.resolve);
  }

  /** Rejects when the thread fails, the limit has passed or the signal aborts. The thread is then ended. */
  async ask(request: JudgeRequest, options: AskOptions): Promise<Verdict | undefined> {
    const { clock, limitMs, signal } = options;
    const over = new AbortController();
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#worker.ref();
    try {
      signal.throwIfAborted();
      await Promise.race([this.#isOnline, this.#failed, aborted.promise]);
      using _ = clock.after(limitMs, () => over.abort());
      const late = new Promise<never>((_, reject) => {
        over.signal.addEventListener("abort", () => reject(new Error("judge timed out")));
      });
      const reply = this.#nextReply();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(request);
      return await Promise.race([reply, this.#failed, aborted.promise, late]);
    } catch (error: unknown) {
      void this.end();
      throw error;
    } finally {
      this.#worker.unref();
      signal.removeEventListener("abort", onAbort);
    }
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  #nextReply(): Promise<Verdict | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Verdict | undefined>();
    this.#worker.removeAllListeners("message");
    this.#worker.once("message", (reply: JudgeReply) => {
      if (reply.isChecked) resolve(reply.verdict);
      else reject(new Error("judge failed"));
    });
    return promise;
  }
}
