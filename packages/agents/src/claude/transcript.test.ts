import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { readTranscript, TranscriptChangedError } from "./transcript.ts";

const ID = "8d1f3a52-0d9c-4e3c-9f4e-0a1b2c3d4e5f";
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "transcript-"));
  mkdirSync(join(folder, "projects", "-work"), { recursive: true });
  path = join(folder, "projects", "-work", `${ID}.jsonl`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the record of a conversation is found in any folder, and can be extended by a line", async () => {
  mkdirSync(join(folder, "projects", "-other"));
  writeFileSync(path, '{"type":"user"}\n{"type":"assistant"}\n');
  const transcript = await readTranscript(folder, ID);
  expect(transcript?.entries).toEqual([{ type: "user" }, { type: "assistant" }]);
  await transcript?.append({ type: "attachment" });
  expect(readFileSync(path, "utf8").split("\n").slice(2)).toEqual(['{"type":"attachment"}', ""]);
});

test("a long record is read from its end, starting at a whole line", async () => {
  const long = JSON.stringify({ type: "user", text: "ä".repeat(1024 * 1024) });
  writeFileSync(path, `${`${long}\n`.repeat(5)}{"type":"assistant"}\n`);
  const { entries = [] } = (await readTranscript(folder, ID)) ?? {};
  expect(entries.length).toBeGreaterThan(1);
  expect(entries.length).toBeLessThan(6);
  expect(entries.at(-1)).toEqual({ type: "assistant" });
});

test.each<[string, () => void]>([
  ["is not there", () => undefined],
  ["ends within a line", () => writeFileSync(path, '{"type":"user"}\n{"type":')],
  ["has a line that is no JSON", () => writeFileSync(path, "no JSON\n")],
  ["is empty", () => writeFileSync(path, "")],
  ["is a folder", () => mkdirSync(path)],
  [
    "is a symbolic link",
    () => {
      writeFileSync(join(folder, "elsewhere"), '{"type":"user"}\n');
      symlinkSync(join(folder, "elsewhere"), path);
    },
  ],
  [
    "is in a folder that is a symbolic link",
    () => {
      mkdirSync(join(folder, "elsewhere"));
      writeFileSync(join(folder, "elsewhere", `${ID}.jsonl`), '{"type":"user"}\n');
      symlinkSync(join(folder, "elsewhere"), join(folder, "projects", "-link"));
    },
  ],
  [
    "is there twice",
    () => {
      mkdirSync(join(folder, "projects", "-other"));
      for (const name of ["-work", "-other"]) {
        writeFileSync(join(folder, "projects", name, `${ID}.jsonl`), '{"type":"user"}\n');
      }
    },
  ],
])("a record that %s is not read", async (_, prepare) => {
  prepare();
  expect(await readTranscript(folder, ID)).toBeUndefined();
});

test("a conversation's id cannot lead to another place", async () => {
  writeFileSync(join(folder, "projects", "x.jsonl"), '{"type":"user"}\n');
  expect(await readTranscript(folder, "../x")).toBeUndefined();
  expect(await readTranscript(folder, "")).toBeUndefined();
});

test("a record that has changed since it was read is not extended", async () => {
  writeFileSync(path, '{"type":"user"}\n');
  const transcript = await readTranscript(folder, ID);
  appendFileSync(path, '{"type":"user"}\n');
  await expect(transcript?.append({ type: "attachment" })).rejects.toThrow(TranscriptChangedError);
  expect(readFileSync(path, "utf8")).not.toContain("attachment");
});
