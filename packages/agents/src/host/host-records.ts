import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import {
  type HostRecord,
  isAlive,
  isOfThisBoot,
  readRecord,
  removeQuietly,
} from "./host-record.ts";

/** How long an agent that is being ended may take for it. */
const GONE_LIMIT_MS = 3000;
const GONE_POLL_MS = 20;

/** The records that agent hosts have left in the folder of one gateway. */
export class HostRecords {
  readonly #folder: string;
  /** The permission requests that dead hosts, whose records are removed, had not answered. */
  readonly #unanswered = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  names(): string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder) : [];
  }

  all(): { readonly path: string; readonly record: HostRecord | undefined }[] {
    const names = this.names().filter((name) => name.endsWith(".json"));
    const paths = names.map((name) => join(this.#folder, name));
    return paths.map((path) => ({ path, record: readRecord(path) }));
  }

  /** Removes the record of a host that is gone. Never throws. */
  remove(path: string): void {
    for (const id of waitingAt(readRecord(path))) this.#unanswered.add(id);
    removeQuietly(path);
  }

  /** As `AgentHosts` says. */
  async untilGone(sessionId: string): Promise<boolean> {
    const isGone = (): boolean =>
      this.all().every(({ record }) => record?.sessionId !== sessionId || !isAlive(record.agent));
    for (let waited = 0; waited < GONE_LIMIT_MS && !isGone(); waited += GONE_POLL_MS) {
      await sleep(GONE_POLL_MS);
    }
    return isGone();
  }

  /** As `AgentHosts` says. */
  neverAnswered(requestId: string): boolean {
    if (this.#unanswered.has(requestId)) return true;
    return this.all().some(({ record }) => waitingAt(record).includes(requestId));
  }
}

/**
 * The permission requests that this host had not answered when it died. A record from before a restart of the machine
 * proves nothing: what was written last may be lost.
 */
function waitingAt(record: HostRecord | undefined): readonly string[] {
  if (record === undefined || isAlive(record.host) || !isOfThisBoot(record.host)) return [];
  return record.waitingIds ?? [];
}
