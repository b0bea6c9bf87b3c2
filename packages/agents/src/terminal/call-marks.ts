import { mkdir, readdir, readFile, rm, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type Clock, defaultGrantKey } from "@holdpoint/engine";

import { shortDigestOf } from "./session-id.ts";

/** One call of an agent in a terminal, as its hooks describe it. */
export interface TerminalCall {
  /** The agent's own session id. */
  readonly session: string;
  readonly cwd: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The sub-agent that makes the call. */
  readonly agentId?: string;
}

const MINUTE_MS = 60 * 1000;
/** How long a mark is valid. An agent retries at once or not at all, but a running call can take long. */
const VALID_MS = {
  passes: 10 * MINUTE_MS,
  denied: 24 * 60 * MINUTE_MS,
  allowed: 24 * 60 * MINUTE_MS,
} as const;
const MARK = /^terminal-([0-9a-f]{24})-[0-9a-f]{24}\.(passes|denied|allowed)$/;
const MAX_TEXT_LENGTH = 200;

export interface CallMarksOptions {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
  /**
   * `passes`: a classifier refused the call and a person has allowed it, so it passes once. `denied`: a person has
   * denied the call, while its terminal could still allow it. `allowed`: a person has
   * allowed the call, and its terminal has not reported its run.
   */
  readonly kind: keyof typeof VALID_MS;
}

/**
 * Marks on calls of agents in terminals. Each mark is a file, so that it outlives the gateway, and so that a hook can
 * see with one look into the folder that there is none. Removing the file uses up the mark.
 */
export class CallMarks {
  readonly #options: CallMarksOptions;

  constructor(options: CallMarksOptions) {
    this.#options = options;
  }

  /** Marks exactly this call. Rejects if the mark cannot be written. */
  async put(call: TerminalCall, text = ""): Promise<void> {
    const { folder, clock } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(call);
    await writeFile(path, text, { mode: 0o600 });
    const seconds = clock.now() / 1000;
    await utimes(path, seconds, seconds);
  }

  /** Removes the call's mark and returns its text. `undefined`: there is no mark. Never rejects. */
  async take(call: TerminalCall): Promise<string | undefined> {
    const path = this.#pathOf(call);
    const isValid = await this.#isValid(path);
    const text = isValid ? await readFile(path, "utf8").catch(() => undefined) : undefined;
    // Of two calls at once, only one removes the file: `rm` would succeed for both.
    const isOwn = await unlink(path).then(
      () => true,
      () => false,
    );
    return isOwn ? text?.slice(0, MAX_TEXT_LENGTH) : undefined;
  }

  /** Removes the session's marks, which end with the turn. Never rejects. */
  async end(session: string): Promise<void> {
    const ended = shortDigestOf(session);
    await this.#removeIf(async (name) => MARK.exec(name)?.[1] === ended);
  }

  /** Removes expired marks. Never rejects. */
  async removeOld(): Promise<void> {
    await this.#removeIf(async (name) => !(await this.#isValid(join(this.#options.folder, name))));
  }

  async #removeIf(fits: (name: string) => Promise<boolean>): Promise<void> {
    const { folder, kind } = this.#options;
    for (const name of await readdir(folder).catch(() => [])) {
      const isMeant = MARK.exec(name)?.[2] === kind && (await fits(name));
      if (isMeant) await rm(join(folder, name)).catch(() => undefined);
    }
  }

  async #isValid(path: string): Promise<boolean> {
    const { clock, kind } = this.#options;
    const writtenAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    return writtenAt !== undefined && clock.now() - writtenAt < VALID_MS[kind];
  }

  #pathOf({ session, agentId = "", ...call }: TerminalCall): string {
    const { folder, kind } = this.#options;
    const key = JSON.stringify([agentId, defaultGrantKey(call)]);
    return join(folder, `terminal-${shortDigestOf(session)}-${shortDigestOf(key)}.${kind}`);
  }
}
