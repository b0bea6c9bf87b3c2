import { createHash } from "node:crypto";

import { z } from "zod";

import { adoptionsPath } from "../terminals/terminal-paths.ts";
import { readText, writeText } from "./settings-file.ts";

const adoptionSchema = z.strictObject({
  kind: z.enum(["claude", "codex"]).default("claude"),
  /** Path of the settings file. */
  path: z.string(),
  /** The previous text; `null`: there was no file. */
  before: z.string().nullable(),
  /** Digest of the written text. */
  written: z.string(),
});

/** A settings file that the hook was written into. */
export type Adoption = z.infer<typeof adoptionSchema>;

/** All adoptions of a data folder. Rejects with `UsageError` if their record cannot be read. */
export async function readAdoptions(dataDir: string): Promise<readonly Adoption[]> {
  const text = await readText(adoptionsPath(dataDir));
  return text === undefined ? [] : z.array(adoptionSchema).parse(JSON.parse(text));
}

/** The record is readable by its owner only: it holds whole settings files, which may contain keys. */
export async function writeAdoptions(
  dataDir: string,
  adoptions: readonly Adoption[],
): Promise<void> {
  await writeText(adoptionsPath(dataDir), `${JSON.stringify(adoptions)}\n`);
}

export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
