import { createHmac, timingSafeEqual } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { z } from "zod";

import type { FileContent, Snapshot } from "./snapshot.ts";
import { TrustedContent } from "./trusted-content.ts";

/** Beside the file. */
const CONTENT_FOLDER = "trusted";
/** Each is as large as a person can look through, and its loss costs only a difference. */
const MAX_CONTENTS = 50;

const entrySchema = z.object({ hash: z.string(), signature: z.base64() });
const fileSchema = z.record(z.string(), z.unknown());
type Entry = z.infer<typeof entrySchema>;

/**
 * The folders that a person has trusted, with the trusted content: only the last yes for a folder is valid. Each entry
 * is signed, so an entry that someone else writes into the file, or copies to another folder, is ignored.
 */
export class TrustFile {
  readonly #path: string;
  readonly #key: Buffer;
  readonly #content: TrustedContent;

  /** The caller is the only writer of the file. */
  constructor(path: string, key: Buffer) {
    this.#path = path;
    this.#key = key;
    this.#content = new TrustedContent(join(dirname(path), CONTENT_FOLDER), key);
  }

  async isTrusted(folder: string, hash: string): Promise<boolean> {
    const entries = await this.#read();
    return entries.get(folder)?.hash === hash;
  }

  /** The files of the last yes for a folder; none where there was no yes, or where they are gone. */
  async readTrusted(folder: string): Promise<readonly FileContent[]> {
    const hash = (await this.#read()).get(folder)?.hash;
    if (hash === undefined) return [];
    return (await this.#content.read({ folder, hash })) ?? [];
  }

  /** Once resolved, the content is trusted after the next start as well. */
  async trust(snapshot: Pick<Snapshot, "files" | "folder" | "hash">): Promise<void> {
    const { folder, hash } = snapshot;
    const entries = await this.#read();
    // The last yes is the last entry.
    entries.delete(folder);
    entries.set(folder, { hash, signature: this.#sign(folder, hash).toString("base64") });
    await this.#content.write(snapshot);
    const whole = `${this.#path}.new`;
    await rm(whole, { force: true });
    const text = JSON.stringify(Object.fromEntries(entries), undefined, 2);
    await writeFile(whole, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
    await rename(whole, this.#path);
    const newest = [...entries.values()].slice(-MAX_CONTENTS);
    await this.#content.keepOnly(new Set(newest.map((entry) => entry.hash)));
  }

  /** The entries signed by this gateway. An unreadable file has none. */
  async #read(): Promise<Map<string, Entry>> {
    const text = await readFile(this.#path, "utf8").catch(() => "{}");
    const entries = new Map<string, Entry>();
    for (const [folder, value] of Object.entries(parseFile(text))) {
      const { data: entry } = entrySchema.safeParse(value);
      if (entry !== undefined && this.#isSigned(folder, entry)) entries.set(folder, entry);
    }
    return entries;
  }

  #isSigned(folder: string, { hash, signature }: Entry): boolean {
    const given = Buffer.from(signature, "base64");
    const own = this.#sign(folder, hash);
    return given.length === own.length && timingSafeEqual(given, own);
  }

  #sign(folder: string, hash: string): Buffer {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([folder, hash]))
      .digest();
  }
}

function parseFile(text: string): Readonly<Record<string, unknown>> {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return {}; // damaged: the person is asked again
  }
}
