import { RequestWithdrawn, type Clock } from "@holdpoint/engine";

import type { TerminalPrompt } from "./hook-input.ts";

/** One visit of a hook that waits for its answer. */
export interface Visit {
  /** The hook's output; `undefined` if it has to come again. */
  readonly output: Promise<string | undefined>;
  /** The hook has received the whole output. */
  taken(): void;
  /** The hook has left and will come again. */
  left(): void;
  /** The hook is gone without an answer: its terminal has ended it. */
  lost(): void;
}

/** Maximum length of a visit. The hook then comes again, which shows that it is alive. */
const VISIT_MS = 25_000;
/** A hook that does not come again within this time is gone. */
const ABSENCE_MS = 5000;

const GONE = "Answered or closed in the terminal.";

/** One prompt of a terminal, from its arrival until its hook has an answer or is gone. */
export class OpenAsk {
  readonly prompt: TerminalPrompt;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #output = Promise.withResolvers<string>();
  readonly #taken = Promise.withResolvers<void>();
  #absence: Disposable | undefined;
  #isHanded = false;
  #isLeft = false;

  constructor(prompt: TerminalPrompt, clock: Clock) {
    this.prompt = prompt;
    this.#clock = clock;
    this.#taken.promise.catch(() => undefined);
    this.#awaitHook();
  }

  /** Aborts when the terminal no longer needs an answer. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** For a gateway that stops: the request stays open, and its hook asks the next gateway. */
  leave(): void {
    this.#isLeft = true;
    this.#present();
  }

  giveUp(reason: string): void {
    if (this.#isLeft || this.#isHanded) return;
    this.#ending.abort(new RequestWithdrawn(reason));
  }

  /** Resolves once the hook has the whole output. Rejects if the hook is gone. */
  async hand(output: string): Promise<void> {
    this.#isHanded = true;
    this.#output.resolve(output);
    await this.#taken.promise;
  }

  /** Ends the hook, unless it already has an answer. Resolves once it is gone. */
  async finish(output: string): Promise<void> {
    if (this.#isLeft) return;
    this.#isHanded = true;
    this.#output.resolve(output);
    await this.#taken.promise.catch(() => undefined);
    this.#present();
  }

  visit(): Visit {
    this.#present();
    const later = Promise.withResolvers<undefined>();
    const timer = this.#clock.after(VISIT_MS, () => later.resolve(undefined));
    const end = (run: () => void) => () => {
      timer[Symbol.dispose]();
      run();
    };
    return {
      output: Promise.race([this.#output.promise, later.promise]),
      taken: end(() => this.#taken.resolve()),
      left: end(() => this.#awaitHook()),
      lost: end(() => this.#lose()),
    };
  }

  #present(): void {
    this.#absence?.[Symbol.dispose]();
    this.#absence = undefined;
  }

  #awaitHook(): void {
    this.#present();
    if (!this.#isLeft) this.#absence = this.#clock.after(ABSENCE_MS, () => this.#lose());
  }

  #lose(): void {
    if (this.#isLeft) return;
    this.#taken.reject(new Error("The hook is gone."));
    this.#ending.abort(new RequestWithdrawn(GONE));
  }
}
