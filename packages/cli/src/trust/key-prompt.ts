import { once } from "node:events";
import type { ReadStream, WriteStream } from "node:tty";

import type { Clock } from "@holdpoint/engine";
import type { FolderOffer, FolderTrust } from "@holdpoint/protocol";

import { toOfferLines, toTextLines } from "./offer-lines.ts";

/** Keys that were pressed before the question was there are no answer to it. */
const GUARD_MS = 500;
const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

export interface KeyPromptOptions {
  readonly input: Pick<ReadStream, "on" | "off" | "once" | "pause" | "resume" | "setRawMode">;
  readonly output: Pick<WriteStream, "write">;
  readonly clock: Clock;
}

/** Asks in the gateway's own terminal, where a person says yes with one key. */
export class KeyPrompt {
  readonly #options: KeyPromptOptions;

  constructor(options: KeyPromptOptions) {
    this.#options = options;
  }

  /** Shows the offer and waits for a key: only `y` is a yes. False when it is aborted. */
  async ask(trust: FolderTrust, offer: FolderOffer, signal: AbortSignal): Promise<boolean> {
    const { output } = this.#options;
    const prompt = "  Load them?  y: yes  d: show what they say  n: no (default)  ";
    output.write(`${toOfferLines(trust, offer).join("\n")}\n${prompt}`);
    for (;;) {
      const key = await this.#readKey(signal);
      if (key === undefined) return false;
      if (key === "d") {
        output.write(`\n${toTextLines(offer).join("\n")}\n\n${prompt}`);
        continue;
      }
      const isYes = key === "y";
      output.write(isYes ? "yes\n" : "no\n");
      return isYes;
    }
  }

  /** The next key that can be an answer. `undefined` when it is aborted. */
  async #readKey(signal: AbortSignal): Promise<string | undefined> {
    const { input, clock } = this.#options;
    const shownAtMs = clock.monotonic();
    if (signal.aborted) return undefined;
    input.setRawMode(true);
    input.resume();
    try {
      for (;;) {
        const [chunk] = (await once(input as ReadStream, "data", { signal })) as [Buffer];
        const key = chunk.toString();
        if (key === CTRL_C || key === CTRL_Z) {
          // In raw mode the terminal does not send the signal itself.
          process.kill(process.pid, key === CTRL_C ? "SIGINT" : "SIGTSTP");
          return undefined;
        }
        // What is pasted, or sent by a key such as an arrow, is no answer.
        const isLate = clock.monotonic() - shownAtMs >= GUARD_MS;
        if (isLate && key.length === 1 && /[ydn\r\n]/i.test(key)) return key.toLowerCase();
      }
    } catch {
      return undefined; // aborted, or the terminal is gone: no yes
    } finally {
      input.setRawMode(false);
      input.pause();
    }
  }
}
