import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The values of one form; `name` is no secret. */
export type PlantedValues = Record<"key" | "pin" | "word" | "note" | "name", string>;

/** Values that are found again wherever they stand, with characters that files and logs write in other ways. */
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

/** The first characters of a secret are enough to find it. */
const TELLING_LENGTH = 16;

/** How a value stands in bytes: as text in two widths, inside JSON, in a URL, in base64 and in hexadecimal digits. */
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

/** Which of the secrets the bytes hold. */
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

/** Copies the files of a folder as they are in this moment, a log of the database included. */
export function copyFiles(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith(".sock") });
  } catch (error: unknown) {
    // A file has gone meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    copyFiles(from, to);
  }
}
