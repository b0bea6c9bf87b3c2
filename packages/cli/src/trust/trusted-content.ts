import { hkdfSync } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { seal, unseal } from "@holdpoint/store-sqlite/seal";
import { z } from "zod";

import type { FileContent, Snapshot } from "./snapshot.ts";

const contentSchema = z.array(
  z.object({
    name: z.string(),
    path: z.string(),
    role: z.enum(["config", "tool", "module"]),
    bytes: z.base64().transform((text) => Buffer.from(text, "base64")),
  }),
);

/**
 * The files that a person trusted, in a folder with one file for each yes, so that a later question shows what has changed.
 * They are encrypted with a key that is not among them, since tools may hold secrets. Content that this gateway has not
 * written is ignored.
 */
export class TrustedContent {
  readonly #folder: string;
  readonly #key: Uint8Array;

  constructor(folder: string, key: Buffer) {
    this.#folder = folder;
    this.#key = new Uint8Array(hkdfSync("sha256", key, "", "trusted files", 32));
  }

  async write(snapshot: Pick<Snapshot, "files" | "folder" | "hash">): Promise<void> {
    const files = snapshot.files.map(({ name, path, role, bytes }) => ({
      name,
      path,
      role,
      bytes: bytes.toString("base64"),
    }));
    const place = join(this.#folder, snapshot.hash);
    const whole = `${place}.new`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await rm(whole, { force: true });
    const sealed = seal(this.#key, Buffer.from(JSON.stringify(files)), toContext(snapshot));
    await writeFile(whole, sealed, { mode: 0o600, flag: "wx", flush: true });
    await rename(whole, place);
  }

  /** `undefined` where it is gone, damaged or of another yes. */
  async read(yes: Pick<Snapshot, "folder" | "hash">): Promise<readonly FileContent[] | undefined> {
    try {
      const sealed = await readFile(join(this.#folder, yes.hash));
      const plain = unseal(this.#key, sealed, toContext(yes));
      return plain && contentSchema.parse(JSON.parse(plain.toString()));
    } catch {
      return undefined; // the next question shows all files as new
    }
  }

  /** Deletes the content of every other yes. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!hashes.has(name)) await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }
}

function toContext({ folder, hash }: Pick<Snapshot, "folder" | "hash">): string {
  return JSON.stringify([folder, hash]);
}
