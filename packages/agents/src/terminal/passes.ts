import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type Clock, defaultGrantKey } from "@holdpoint/engine";

/** One call of an agent in a terminal, as its hooks describe it. */
export interface TerminalCall {
  /** What the agent calls its own session. */
  readonly session: string;
  readonly cwd: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The sub-agent that calls. */
  readonly agentId?: string;
}

/** An agent tries again at once, or not at all. */
const VALID_MS = 10 * 60 * 1000;
const PASS = /^terminal-([0-9a-f]{24})-[0-9a-f]{24}\.passes$/;

/**
 * Calls that a classifier refused and a person has allowed: each passes once. A pass is an empty file, so that it outlives the
 * gateway, and so that a hook needs no more than a look into the folder to know that there is none. Whoever removes the file
 * has used the pass.
 */
export class Passes {
  readonly #folder: string;
  readonly #clock: Pick<Clock, "now">;

  constructor(folder: string, clock: Pick<Clock, "now">) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Lets exactly this call pass once. Rejects when it cannot be written. */
  async give(call: TerminalCall): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(call);
    await writeFile(path, "", { mode: 0o600 });
    const seconds = this.#clock.now() / 1000;
    await utimes(path, seconds, seconds);
  }

  /** Whether the call may pass. From then on it may not. Never rejects. */
  async take(call: TerminalCall): Promise<boolean> {
    const path = this.#pathOf(call);
    const isValid = await this.#isValid(path);
    // Of two calls at once, one removes it: `rm` would tell both that they have.
    const isOwn = await unlink(path).then(
      () => true,
      () => false,
    );
    return isValid && isOwn;
  }

  /** What was not used until the end of its turn may not pass any more. Never rejects. */
  async end(session: string): Promise<void> {
    const ended = digestOf(session);
    await this.#removeIf(async (name) => PASS.exec(name)?.[1] === ended);
  }

  /** Removes what nobody has come for. Never rejects. */
  async removeOld(): Promise<void> {
    await this.#removeIf(async (name) => !(await this.#isValid(join(this.#folder, name))));
  }

  async #removeIf(fits: (name: string) => Promise<boolean>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const isMeant = PASS.test(name) && (await fits(name));
      if (isMeant) await rm(join(this.#folder, name)).catch(() => undefined);
    }
  }

  async #isValid(path: string): Promise<boolean> {
    const writtenAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    return writtenAt !== undefined && this.#clock.now() - writtenAt < VALID_MS;
  }

  #pathOf({ session, agentId = "", ...call }: TerminalCall): string {
    const key = JSON.stringify([agentId, defaultGrantKey(call)]);
    return join(this.#folder, `terminal-${digestOf(session)}-${digestOf(key)}.passes`);
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
