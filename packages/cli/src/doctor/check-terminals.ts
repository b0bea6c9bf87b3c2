import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { configDir, isOldHook } from "../adopt/adopt-agents.ts";
import { type Adoption, readAdoptions } from "../adopt/adoptions.ts";
import { type HookSettings, hasHook, isWhole } from "../adopt/hook-entries.ts";
import { readSettingsFile } from "../adopt/settings-file.ts";
import { hookPath } from "../terminals/terminal-paths.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { reasonOf } from "./words.ts";

/** The administrator's settings file of Claude Code 2.1.330. */
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "/etc/claude-code/managed-settings.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
};
const AGAIN = "Run holdpoint adopt again.";

/** Checks whether the hooks written by `adopt` are present, current and allowed. `policy`: the administrator's file. */
export async function checkTerminals(
  scene: Scene,
  policy: string | undefined = MANAGED[process.platform],
): Promise<readonly Finding[]> {
  const findings = new Findings("Terminals");
  const { settings, env } = scene;
  const { dataDir } = settings;
  const adoptions = await readAdoptions(dataDir);
  if (adoptions.length === 0) {
    findings.ok("no agent in a terminal is adopted (holdpoint adopt)", { adopted: [] });
    return findings.list;
  }
  const program = hookPath(dataDir);
  if (await isOldHook({ dataDir, env })) {
    findings.problem("the hook is gone, or of another version.", AGAIN);
  }
  const user = join(configDir("claude", env), "settings.json");
  for (const path of new Set([user, ...adoptions.map((adoption) => adoption.path)])) {
    const file = await read(path, findings);
    if (file?.["disableAllHooks"] === true) {
      findings.problem(`${path} switches all hooks off.`, "Remove disableAllHooks from it.");
    }
    const adoption = adoptions.find((one) => one.path === path);
    if (file && adoption) lookAtHooks(findings, { ...adoption, file, program });
    if (file && adoption?.kind === "codex") await lookAtTrust(findings, path, env);
  }
  await lookAtPolicy(findings, policy);
  return findings.list;
}

function lookAtHooks(
  findings: Findings,
  {
    kind,
    path,
    file,
    program,
  }: Pick<Adoption, "kind" | "path"> & { readonly file: HookSettings; readonly program: string },
): void {
  const label = kind === "claude" ? "Claude Code" : "Codex";
  if (isWhole(kind, file, program)) findings.ok(`${label} asks by ${path}`, { path });
  else if (hasHook(file, program)) findings.problem(`${path} has only some of the hooks.`, AGAIN);
  else findings.problem(`${path} no longer has the hooks.`, `${AGAIN} Or: holdpoint adopt --undo.`);
}

/**
 * Checks that the hooks are trusted. Codex 0.169.0 skips a hook until its person has trusted it, and stores that in its
 * own settings, by file and event.
 */
async function lookAtTrust(findings: Findings, path: string, env: Scene["env"]): Promise<void> {
  const config = join(configDir("codex", env), "config.toml");
  const text = await readFile(config, "utf8").catch(() => "");
  if (/^[ \t]*(codex_)?hooks[ \t]*=[ \t]*false/mu.test(text)) {
    findings.problem(`${config} switches all hooks off.`, "Remove hooks = false from it.");
    return;
  }
  const name = JSON.stringify(`${path}:permission_request:`).slice(0, -1);
  if (text.includes(`[hooks.state.${name}`)) return;
  findings.problem(
    `Codex does not run the hooks of ${path} yet: no one has trusted them.`,
    "Start codex and trust them there, or enter /hooks.",
  );
}

async function read(path: string, findings: Findings): Promise<HookSettings | undefined> {
  try {
    return (await readSettingsFile(path)).settings;
  } catch (error: unknown) {
    findings.problem(reasonOf(error), "Its agent may not read it either.");
    return undefined;
  }
}

/** Checks the administrator's settings, which override all others. */
async function lookAtPolicy(findings: Findings, path: string | undefined): Promise<void> {
  const text = path === undefined ? undefined : await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  let policy: Record<string, unknown>;
  try {
    policy = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    findings.note(`${path} cannot be read, so it is unknown whether it allows hooks.`);
    return;
  }
  const names = ["allowManagedHooksOnly", "disableAllHooks"].filter(
    (name) => policy[name] === true,
  );
  if (names.length === 0) return;
  findings.problem(
    `your administrator allows no hooks but their own (${names.join(", ")} in ${path}).`,
    "Only they can change that; terminals ask only on the screen.",
  );
}
