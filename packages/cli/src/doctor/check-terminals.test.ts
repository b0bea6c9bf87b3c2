import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { carryOut, type Place, planClaude } from "../adopt/adopt-agents.ts";
import { hookPath } from "../terminals/terminal-paths.ts";
import { checkTerminals } from "./check-terminals.ts";
import type { Finding } from "./finding.ts";
import type { Scene } from "./look.ts";

let place: Place;
let settings: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "check-terminals-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  settings = join(folder, "settings.json");
  place = { dataDir: folder, env: { ...process.env, CLAUDE_CONFIG_DIR: folder } };
});

async function problems(): Promise<readonly string[]> {
  const { dataDir, env } = place;
  const scene = { settings: { dataDir }, env } as Scene;
  const found: readonly Finding[] = await checkTerminals(scene, join(dataDir, "managed.json"));
  return found.filter(({ status }) => status === "problem").map(({ text }) => text);
}

test("what was adopted is whole, and what has become of it since is said", async () => {
  expect(await problems()).toEqual([]);
  const plan = await planClaude(place);
  await carryOut(place.dataDir, plan);
  expect(await problems()).toEqual([]);
  await writeFile(settings, JSON.stringify({ ...JSON.parse(plan.text), disableAllHooks: true }));
  expect(await problems()).toEqual([`${settings} switches all hooks off.`]);
  await writeFile(settings, plan.text.replace("PostToolUse", "Elsewhere"));
  expect(await problems()).toEqual([`${settings} has only some of the hooks.`]);
  await writeFile(settings, "{}");
  expect(await problems()).toEqual([`${settings} has the hooks no more.`]);
  await writeFile(settings, plan.text);
  await writeFile(hookPath(place.dataDir), "#!/bin/sh\n");
  await chmod(hookPath(place.dataDir), 0o700);
  expect(await problems()).toEqual(["the hook is gone, or of another version."]);
});

test.each(["allowManagedHooksOnly", "disableAllHooks"])(
  "an administrator's %s is said, and one that is off is not",
  async (name) => {
    await carryOut(place.dataDir, await planClaude(place));
    const policy = join(place.dataDir, "managed.json");
    await writeFile(policy, JSON.stringify({ [name]: false }));
    expect(await problems()).toEqual([]);
    await writeFile(policy, JSON.stringify({ [name]: true }));
    expect(await problems()).toEqual([
      `your administrator allows no hooks but their own (${name} in ${policy}).`,
    ]);
  },
);
