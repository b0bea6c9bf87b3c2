import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";

import { addGrants, emptyState, parseGrants, type SessionGrants } from "./saved-state.ts";

const SETTINGS_OF_FOLDER = [".claude/settings.json", ".claude/settings.local.json"];

/**
 * What people have allowed for good in a folder. The runtime keeps that in the folder's own settings, which are not
 * loaded, since they could have come with a clone. This is the record of what was really allowed here; a rule counts
 * while it is in both, so that taking it out of the folder's settings is enough to be asked again.
 */
export class FolderGrants {
  readonly #path: string;
  #lastWrite: Promise<void> = Promise.resolve();

  /** `path`: the file of the record. */
  constructor(path: string) {
    this.#path = path;
  }

  /** What is still allowed in the folder; nothing where either file cannot be read. */
  async load(cwd: string): Promise<SessionGrants> {
    await this.#lastWrite;
    const recorded = parseGrants((await readJson(this.#path))[cwd]);
    const kept = await Promise.all(
      SETTINGS_OF_FOLDER.map(async (name) =>
        parseGrants((await readJson(join(cwd, name)))["permissions"]),
      ),
    );
    const isKept = (kind: keyof SessionGrants) => (item: string) =>
      kept.some((grants) => grants[kind].includes(item));
    return {
      allow: recorded.allow.filter(isKept("allow")),
      additionalDirectories: recorded.additionalDirectories.filter(isKept("additionalDirectories")),
    };
  }

  /** Records those of the updates that the runtime keeps in the folder. Rejects if they cannot be written. */
  async add(cwd: string, updates: readonly PermissionUpdate[]): Promise<void> {
    const ofFolder = updates.filter(
      ({ destination }) => destination === "localSettings" || destination === "projectSettings",
    );
    if (ofFolder.length === 0) return;
    const write = this.#lastWrite.then(() => this.#write(cwd, ofFolder));
    this.#lastWrite = write.catch(() => undefined); // told to the caller; the next write tries again
    await write;
  }

  async #write(cwd: string, updates: readonly PermissionUpdate[]): Promise<void> {
    const record = await readJson(this.#path);
    const grants = addGrants(parseGrants(record[cwd] ?? emptyState.grants), updates);
    const next = `${this.#path}.next`;
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(next, `${JSON.stringify({ ...record, [cwd]: grants }, undefined, 2)}\n`, {
      mode: 0o600,
    });
    await rename(next, this.#path);
  }
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {}; // no such file, or not JSON: it allows nothing
  }
}
