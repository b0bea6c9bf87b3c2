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
  readonly input: Pick<ReadStream, "on" | "off" | "once" | "pause" | "resume" | "setRawMode">;
  readonly output: Pick<WriteStream, "write">;
  readonly clock: Clock;
}

/** Asks in the gateway's own terminal, where a person answers with one key. */
export class KeyPrompt {
  readonly #options: KeyPromptOptions;

  constructor(options: KeyPromptOptions) {
    this.#options = options;
  }

  /** Shows the offer and waits for a key: only `y` is a yes. Returns false when aborted. */
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

  /** The next valid answer key. `undefined` when aborted. */
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
        // Ignores pasted text, and sequences of special keys such as arrows.
        const isLate = clock.monotonic() - shownAtMs >= GUARD_MS;
        if (isLate && key.length === 1 && /[ydn\r\n]/i.test(key)) return key.toLowerCase();
      }
    } catch {
      return undefined; // aborted, or the terminal is gone
    } finally {
      input.setRawMode(false);
      input.pause();
    }
  }
}
