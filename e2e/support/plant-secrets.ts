import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The values of one form; `name` is not secret. */
export type PlantedValues = Record<"key" | "pin" | "word" | "note" | "name", string>;

/** Values that can be found anywhere, with characters that files and logs write in different ways. */
export function plantSecrets(mark: string): PlantedValues {
  return {
    key: `sk-${mark}-0123456789abcdef`,
    pin: `${mark}"quoted\\and'so'on`,
    word: `🔑 ${mark} pässwörd 密码`,
    note: `${mark}, first line\nsecond line\t${"of a long one ".repeat(40)}`,
    name: `public-${mark}`,
  };
}

/** The secret ones among the values. */
export function secretsOf({ key, pin, word, note }: PlantedValues): string[] {
  return [key, pin, word, note];
}

/** The first characters of a secret suffice to find it. */
const TELLING_LENGTH = 16;

/** The encodings of a value: as text in two widths, inside JSON, in a URL, in base64 and in hexadecimal digits. */
function spellings(secret: string): Buffer[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const whole = Buffer.from(secret);
  const texts = [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret)];
  const encoded = [
    whole.toString("base64"),
    whole.toString("base64url"),
    whole.toString("hex"),
    whole.toString("hex").toUpperCase(),
  ];
  return [
    ...[...texts, ...encoded].map((text) => Buffer.from(text.slice(0, TELLING_LENGTH))),
    Buffer.from(secret.slice(0, TELLING_LENGTH), "utf16le"),
  ];
}

/** The secrets that the bytes contain. */
export function findSecrets(bytes: Buffer, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => spellings(secret).some((spelling) => bytes.includes(spelling)));
}

/** The bytes of every file below the folders, by path. */
export function readAllFiles(...folders: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) found.set(path, readFileSync(path));
    }
  }
  return found;
}

/** Copies the current files of a folder, including the database's log. */
export function copyFiles(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith(".sock") });
  } catch (error: unknown) {
    // A file has disappeared during the copy.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    copyFiles(from, to);
  }
}
