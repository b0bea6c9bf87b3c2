import { constants } from "node:fs";
import { lstat, open, readdir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

import type { TranscriptEntry } from "./open-call.ts";

/** Only this much of a longer record is read, from its end. */
const MAX_TAIL_BYTES = 8 * 1024 * 1024;
const CONVERSATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const NEWLINE = 0x0a;

export class TranscriptChangedError extends Error {
  override readonly name = "TranscriptChangedError";

  constructor() {
    super("The record has changed.");
  }
}

/** The runtime's record of a conversation at the time of reading. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  /**
   * Appends one line and flushes it to disk. Rejects with `TranscriptChangedError` if the record has changed since it
   * was read.
   */
  append(entry: object): Promise<void>;
}

/**
 * Reads the end of a conversation's record. `undefined` if there is none, if there are several or it is not a plain
 * file, or if it ends within a line. Follows no symbolic links below the folder. Never rejects.
 */
export async function readTranscript(
  configDir: string,
  conversationId: string,
): Promise<Transcript | undefined> {
  try {
    const path = await findTranscript(configDir, conversationId);
    return path === undefined ? undefined : await read(path);
  } catch {
    return undefined; // gone or unreadable
  }
}

async function findTranscript(
  configDir: string,
  conversationId: string,
): Promise<string | undefined> {
  if (!CONVERSATION_ID.test(conversationId)) return undefined;
  const projects = join(configDir, "projects");
  if (!(await lstat(projects)).isDirectory()) return undefined;
  const folders = await readdir(projects, { withFileTypes: true });
  const paths: string[] = [];
  for (const folder of folders.filter((entry) => entry.isDirectory())) {
    const path = join(projects, folder.name, `${conversationId}.jsonl`);
    const found = await lstat(path).catch(() => undefined); // in another folder
    if (found?.isFile() === true) paths.push(path);
  }
  return paths.length === 1 ? paths[0] : undefined;
}

async function read(path: string): Promise<Transcript | undefined> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { size, ino } = await file.stat();
  const from = Math.max(0, size - MAX_TAIL_BYTES);
  const bytes = await readFrom(file, from, size - from);
  if (bytes.at(-1) !== NEWLINE) return undefined;
  // A read from the middle starts within a line.
  const text = bytes.toString("utf8", from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1);
  const lines = text.split("\n").filter((line) => line !== "");
  const entries = lines.map((line) => JSON.parse(line) as TranscriptEntry);
  // Lines written by the runtime must survive a power failure too.
  await file.sync();
  return { entries, append: (entry) => append(path, { size, ino }, entry) };
}

async function readFrom(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let count = 0;
  while (count < length) {
    const { bytesRead } = await file.read(bytes, count, length - count, from + count);
    if (bytesRead === 0) throw new Error("The record has become shorter.");
    count += bytesRead;
  }
  return bytes;
}

async function append(
  path: string,
  known: { readonly size: number; readonly ino: number },
  entry: object,
): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
  await using file = await open(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  const { size, ino } = await file.stat();
  if (size !== known.size || ino !== known.ino) throw new TranscriptChangedError();
  await file.appendFile(`${JSON.stringify(entry)}\n`);
  await file.sync();
}
