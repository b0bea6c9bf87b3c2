import { basename } from "node:path";

import type { Clock, Gateway } from "@holdpoint/engine";

import type { TerminalEvent } from "./hook-input.ts";
import { toSessionId } from "./session-id.ts";
import { TERMINALS, type TerminalKind } from "./terminal-kind.ts";

export interface TerminalWorkOptions {
  readonly gateway: Pick<Gateway, "endExternalAgent" | "ensureSession" | "trackExternalTurn">;
  readonly clock: Clock;
  /** Whether the program with this process id runs. */
  readonly isAlive: (pid: number) => boolean;
  readonly onError: (error: unknown) => void;
}

interface Known {
  readonly pid: number | undefined;
  /** Ends the work when aborted; absent: the session is idle. */
  work?: AbortController;
  /** Resolves when the end of the last work is recorded. */
  over?: Promise<void>;
}

const MAX_KNOWN = 1000;
/** Interval of checks for terminals that were closed or killed, which send no event. */
const LOOK_MS = 10_000;

/** Tracks whether sessions in terminals are working, idle or ended, based on their hooks' events. */
export class TerminalWork implements Disposable {
  readonly #options: TerminalWorkOptions;
  readonly #known = new Map<string, Known>();
  #look: Disposable | undefined;

  constructor(options: TerminalWorkOptions) {
    this.#options = options;
  }

  /** Handles an event in a terminal. `pid`: the agent's process. */
  tell({ kind, name, session, cwd, agentId }: TerminalEvent, pid?: number): void {
    if (agentId !== undefined) return;
    switch (name) {
      case "UserPromptSubmit":
        if (cwd !== undefined) this.#begin({ kind, session, cwd }, pid);
        break;
      case "Interrupt":
      case "Stop":
      case "StopFailure":
        this.#stop(session);
        break;
      case "SessionEnd":
        this.#end(session);
        break;
    }
  }

  /** For a gateway that ends: working sessions are shown as idle until their next event. */
  [Symbol.dispose](): void {
    this.#look?.[Symbol.dispose]();
    for (const session of this.#known.keys()) this.#stop(session);
    this.#known.clear();
  }

  #begin(place: TerminalPlace, pid: number | undefined): void {
    const { gateway, onError } = this.#options;
    const { session } = place;
    if (this.#known.get(session)?.work) return;
    if (!this.#known.has(session) && !this.#hasPlace()) return;
    const work = new AbortController();
    const known: Known = { pid, work };
    this.#known.set(session, known);
    this.#look ??= this.#lookLater();
    const named = toNamedSession(place);
    const over = gateway.trackExternalTurn(named, { signal: work.signal });
    const forget = (): void => {
      if (known.work === work) delete known.work;
    };
    known.over = over.then(forget, (error: unknown) => {
      forget();
      if (!["DRAINING", "NO_ROOM"].includes(Object(error).code)) onError(error);
    });
  }

  /** Whether one more session can be tracked. An idle one makes room: it is tracked again with its next message. */
  #hasPlace(): boolean {
    if (this.#known.size < MAX_KNOWN) return true;
    for (const [session, { work }] of this.#known) {
      if (!work) return this.#known.delete(session);
    }
    return false;
  }

  #stop(session: string): void {
    const known = this.#known.get(session);
    known?.work?.abort();
    if (known) delete known.work;
  }

  /** Ends a session. A session that the gateway never had needs no ending. */
  #end(session: string): void {
    const { gateway, onError } = this.#options;
    const over = this.#known.get(session)?.over;
    this.#stop(session);
    this.#known.delete(session);
    const ended = Promise.resolve(over).then(() =>
      gateway.endExternalAgent(toSessionId({ session })),
    );
    ended.catch((error: unknown) => {
      if (!["DRAINING", "NOT_FOUND"].includes(Object(error).code)) onError(error);
    });
  }

  #lookLater(): Disposable {
    return this.#options.clock.after(LOOK_MS, () => {
      for (const [session, { pid }] of this.#known) {
        if (pid !== undefined && !this.#options.isAlive(pid)) this.#end(session);
      }
      this.#look = this.#known.size > 0 ? this.#lookLater() : undefined;
    });
  }
}

interface TerminalPlace {
  readonly kind: TerminalKind;
  readonly session: string;
  readonly cwd: string;
}

/** The gateway's session for a terminal's session, named after its folder. */
export function toNamedSession({
  kind,
  session,
  cwd,
}: TerminalPlace): Parameters<Gateway["ensureSession"]>[0] {
  return {
    sessionId: toSessionId({ session }),
    agent: TERMINALS[kind].agent,
    cwd,
    title: basename(cwd) || cwd,
    createdBy: "terminals",
  };
}
