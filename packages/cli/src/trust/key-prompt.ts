import { once } from "node:events";
import type { ReadStream, WriteStream } from "node:tty";

import type { Clock } from "@holdpoint/engine";
import type { FolderOffer, FolderTrust } from "@holdpoint/protocol";

import { toOfferLines, toTextLines } from "./offer-lines.ts";

/** Ignores keys that were pressed before the question was shown. */
const GUARD_MS = 500;
const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

export interface KeyPromptOptions {
  readonly input: Pick<
    ReadStream,
    "on" | "off" | "once" | "pause" | "readableEnded" | "resume" | "setRawMode"
  >;
  readonly output: Pick<WriteStream, "write">;
  readonly clock: Clock;
}

/** Asks in the gateway's own terminal, where a person answers with one key. */
export class KeyPrompt {
  readonly #options: KeyPromptOptions;
  /** Counts the readers: one that was aborted ends after the next one has begun. */
  #reader = 0;

  constructor(options: KeyPromptOptions) {
    this.#options = options;
  }

  /**
   * Shows the offer and waits for a key: only `y` is a yes. `undefined` when aborted, or when Ctrl+C stops the gateway. A
   * terminal that has no more input answers no.
   */
  async ask(
    trust: FolderTrust,
    offer: FolderOffer,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const { output } = this.#options;
    const prompt = "  Load them?  y: yes  d: show what they say  n: no (default)  ";
    output.write(`${toOfferLines(trust, offer).join("\n")}\n${prompt}`);
    for (;;) {
      const key = await this.#readKey(signal);
      if (key === undefined) {
        output.write("\n");
        return undefined;
      }
      if (key === CTRL_Z) {
        output.write(`\n${prompt}`);
        continue;
      }
      if (key === "d") {
        output.write(`\n${toTextLines(offer).join("\n")}\n\n${prompt}`);
        continue;
      }
      const isYes = key === "y";
      output.write(isYes ? "yes\n" : "no\n");
      return isYes;
    }
  }

  /** The next valid answer key, or Ctrl+Z after the gateway was suspended. `undefined` when aborted, or for Ctrl+C. */
  async #readKey(signal: AbortSignal): Promise<string | undefined> {
    const { input } = this.#options;
    if (signal.aborted) return undefined;
    if (input.readableEnded) return "n";
    const reader = (this.#reader += 1);
    const ended = new AbortController();
    const onEnd = (): void => ended.abort();
    const over = AbortSignal.any([signal, ended.signal]);
    for (const event of ["end", "close"]) input.on(event, onEnd);
    input.setRawMode(true);
    input.resume();
    try {
      return await this.#nextKey(over);
    } catch {
      return signal.aborted ? undefined : "n"; // aborted, or the terminal is gone
    } finally {
      for (const event of ["end", "close"]) input.off(event, onEnd);
      if (this.#reader === reader) {
        input.setRawMode(false);
        input.pause();
      }
    }
  }

  async #nextKey(signal: AbortSignal): Promise<string | undefined> {
    const { input, clock } = this.#options;
    const shownAtMs = clock.monotonic();
    for (;;) {
      const [chunk] = (await once(input as ReadStream, "data", { signal })) as [Buffer];
      const key = chunk.toString();
      // In raw mode the terminal does not send the signal itself.
      if (key === CTRL_C) {
        process.kill(process.pid, "SIGINT");
        return undefined;
      }
      if (key === CTRL_Z) {
        input.setRawMode(false);
        process.kill(process.pid, "SIGTSTP");
        return key;
      }
      // Ignores pasted text, and sequences of special keys such as arrows.
      const isLate = clock.monotonic() - shownAtMs >= GUARD_MS;
      if (isLate && key.length === 1 && /[ydn\r\n]/i.test(key)) return key.toLowerCase();
    }
  }
}
