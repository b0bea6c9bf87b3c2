import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { FolderGrants } from "./folder-grants.ts";

let cwd: string;
let path: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "grants-"));
  path = join(cwd, "config", "record.json");
  await mkdir(join(cwd, ".claude"));
});
afterEach(() => rm(cwd, { recursive: true }));

const allow = (
  ruleContent: string,
  destination: PermissionUpdate["destination"] = "localSettings",
): PermissionUpdate => ({
  type: "addRules",
  behavior: "allow",
  destination,
  rules: [{ toolName: "Bash", ruleContent }],
});
const writeSettings = (...rules: string[]) =>
  writeFile(
    join(cwd, ".claude/settings.local.json"),
    JSON.stringify({ permissions: { allow: rules } }),
  );

describe("what was allowed for good in a folder", () => {
  test("holds in another session, as long as the folder's settings have it", async () => {
    await new FolderGrants(path).add(cwd, [allow("ls"), allow("pwd"), allow("id", "session")]);
    await writeSettings("Bash(ls)", "Bash(pwd)", "Bash(id)");
    expect((await new FolderGrants(path).load(cwd)).allow).toEqual(["Bash(ls)", "Bash(pwd)"]);
    await writeSettings("Bash(pwd)");
    expect((await new FolderGrants(path).load(cwd)).allow).toEqual(["Bash(pwd)"]);
  });

  test("[R-5] is nothing that only came with the folder", async () => {
    await writeSettings("Bash(*)");
    expect(await new FolderGrants(path).load(cwd)).toEqual({
      allow: [],
      additionalDirectories: [],
    });
  });

  test("[R-15] holds in its own folder only", async () => {
    const grants = new FolderGrants(path);
    await grants.add("/another", [allow("ls")]);
    await writeSettings("Bash(ls)");
    expect((await grants.load(cwd)).allow).toEqual([]);
  });

  test("loses nothing when much is added at once, and is for its owner's eyes", async () => {
    const grants = new FolderGrants(path);
    const names = Array.from({ length: 20 }, (_, at) => `echo ${at}`);
    await Promise.all(names.map((name) => grants.add(cwd, [allow(name)])));
    await writeSettings(...names.map((name) => `Bash(${name})`));
    expect((await grants.load(cwd)).allow).toHaveLength(20);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, "utf8"))).toHaveProperty([cwd]);
  });

  test("[R-5] is nothing where a file is broken, and can be added to again", async () => {
    const grants = new FolderGrants(path);
    await mkdir(join(cwd, "config"));
    await writeFile(path, "not JSON");
    expect((await grants.load(cwd)).allow).toEqual([]);
    await grants.add(cwd, [allow("ls")]);
    await writeSettings("Bash(ls)");
    expect((await grants.load(cwd)).allow).toEqual(["Bash(ls)"]);
  });

  test("rejects what cannot be written", async () => {
    await writeFile(join(cwd, "file"), "");
    const grants = new FolderGrants(join(cwd, "file", "record.json"));
    await expect(grants.add(cwd, [allow("ls")])).rejects.toThrow(/\S/u);
    await expect(grants.add(cwd, [allow("ls", "session")])).resolves.toBeUndefined();
  });
});
