import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { createOwnFilesJudge } from "./judge-own-files.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "own-files-")));
  mkdirSync(join(home, ".claude", "plans"), { recursive: true });
  mkdirSync(join(home, "work"));
});
afterEach(() => rmSync(home, { recursive: true }));

const asks = async (toolName: string, input: Record<string, unknown>, cwd = "work") =>
  (await createOwnFilesJudge({ HOME: home })({ toolName, input, cwd: join(home, cwd) }))?.action;

test("[R-15] changes to Claude's configuration files are asked about, by any path, and no other files are", async () => {
  symlinkSync(join(home, ".claude"), join(home, "work", "linked"));
  for (const path of [
    `${home}/.claude/settings.json`,
    "~/.claude/projects/x/memory/MEMORY.md",
    "../.claude/skills/evil/SKILL.md",
    "linked/agents/evil.md",
    "linked/plans/../CLAUDE.md",
    "~/.claude.json",
  ]) {
    expect([path, await asks("Write", { file_path: path, content: "x" })]).toEqual([path, "ask"]);
    expect([path, await asks("Bash", { command: `echo x >> ${path}` })]).toEqual([path, "ask"]);
    expect([path, await asks("Read", { file_path: path })]).toEqual([path, undefined]);
    expect([path, await asks("Bash", { command: `cat ${path}` })]).toEqual([path, undefined]);
  }
  for (const path of [
    "notes.txt",
    "~/notes.txt",
    "~/.claude/plans/one.md",
    "linked/plans/one.md",
  ]) {
    expect([path, await asks("Write", { file_path: path, content: "x" })]).toEqual([
      path,
      undefined,
    ]);
  }
});

test("[R-15] a link among the plans is not treated as a plan", async () => {
  rmSync(join(home, ".claude", "plans"), { recursive: true });
  mkdirSync(join(home, ".claude", "skills"));
  symlinkSync(join(home, ".claude", "skills"), join(home, ".claude", "plans"));
  expect(await asks("Write", { file_path: "~/.claude/plans/SKILL.md", content: "x" })).toBe("ask");
  expect(await asks("Write", { file_path: "~/.claude/skills/SKILL.md", content: "x" })).toBe("ask");
});
