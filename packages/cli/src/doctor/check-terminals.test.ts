import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { carryOut, type Place, planAgent } from "../adopt/adopt-agents.ts";
import { hookPath } from "../terminals/terminal-paths.ts";
import { checkTerminals } from "./check-terminals.ts";
import type { Finding } from "./finding.ts";
import type { Scene } from "./read-scene.ts";

let place: Place;
let settings: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "check-terminals-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  settings = join(folder, "settings.json");
  place = {
    dataDir: folder,
    env: { ...process.env, CLAUDE_CONFIG_DIR: folder, CODEX_HOME: folder },
  };
});

async function problems(): Promise<readonly string[]> {
  const { dataDir, env } = place;
  const scene = { settings: { dataDir }, env } as Scene;
  const found: readonly Finding[] = await checkTerminals(scene, join(dataDir, "managed.json"));
  return found.filter(({ status }) => status === "problem").map(({ text }) => text);
}

test("an adopted agent is complete, and later changes to its hooks are reported", async () => {
  expect(await problems()).toEqual([]);
  const plan = await planAgent("claude", place);
  await carryOut(place.dataDir, plan);
  expect(await problems()).toEqual([]);
  await writeFile(settings, JSON.stringify({ ...JSON.parse(plan.text), disableAllHooks: true }));
  expect(await problems()).toEqual([`${settings} switches all hooks off.`]);
  await writeFile(settings, plan.text.replace("PostToolUse", "Elsewhere"));
  expect(await problems()).toEqual([`${settings} has only some of the hooks.`]);
  await writeFile(settings, "{}");
  expect(await problems()).toEqual([`${settings} no longer has the hooks.`]);
  await writeFile(settings, plan.text);
  await writeFile(hookPath(place.dataDir), "#!/bin/sh\n");
  await chmod(hookPath(place.dataDir), 0o700);
  expect(await problems()).toEqual(["the hook is gone, or of another version."]);
});

test("[R-5] hooks that no one has trusted in Codex are reported until they are trusted", async () => {
  const plan = await planAgent("codex", place);
  await carryOut(place.dataDir, plan);
  const untrusted = `Codex does not run the hooks of ${plan.path} yet: no one has trusted them.`;
  expect(await problems()).toEqual([untrusted]);
  const config = join(place.dataDir, "config.toml");
  await writeFile(config, `[hooks.state."/other/hooks.json:permission_request:0:0"]\n`);
  expect(await problems()).toEqual([untrusted]);
  const trusted = `[hooks.state."${plan.path}:permission_request:0:0"]\n`;
  await writeFile(config, trusted);
  expect(await problems()).toEqual([]);
  await writeFile(config, `[features]\nhooks = false\n${trusted}`);
  expect(await problems()).toEqual([`${config} switches all hooks off.`]);
});

test.each(["allowManagedHooksOnly", "disableAllHooks"])(
  "an administrator's %s is reported, and one that is off is not",
  async (name) => {
    await carryOut(place.dataDir, await planAgent("claude", place));
    const policy = join(place.dataDir, "managed.json");
    await writeFile(policy, JSON.stringify({ [name]: false }));
    expect(await problems()).toEqual([]);
    await writeFile(policy, JSON.stringify({ [name]: true }));
    expect(await problems()).toEqual([
      `your administrator allows no hooks but their own (${name} in ${policy}).`,
    ]);
  },
);
