import type { ToolCallResult } from "./tool-result.ts";
import type { ToolRun } from "./tool-run.ts";

export interface ToolCallOptions {
  /** The caller gives the call up when it aborts. */
  readonly signal: AbortSignal;
}

/** A call that runs. The same call may come again meanwhile, over another connection: then both get the one result. */
export class RunningCall {
  readonly callDigest: string;
  readonly #abort = new AbortController();
  readonly #over = new AbortController();
  #callers = 0;
  #isFinishing = false;
  #run: ToolRun | undefined;
  result: Promise<ToolCallResult> | undefined;

  constructor(callDigest: string) {
    this.callDigest = callDigest;
  }

  /** Aborts when every caller has given it up. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborts when it has its result. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  join({ signal }: ToolCallOptions): void {
    this.#callers += 1;
    if (signal.aborted) this.#leave();
    else signal.addEventListener("abort", () => this.#leave(), { signal: this.over });
  }

  begin(run: ToolRun): void {
    this.#run = run;
    if (this.#isFinishing) run.finishAsQueued();
  }

  finishAsQueued(): void {
    this.#isFinishing = true;
    this.#run?.finishAsQueued();
  }

  end(): void {
    this.#over.abort();
  }

  #leave(): void {
    this.#callers -= 1;
    if (this.#callers === 0) this.#abort.abort(new DOMException("The agent gave it up."));
  }
}
