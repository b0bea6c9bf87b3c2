import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { configDir, isOldHook } from "../adopt/adopt-agents.ts";
import { readAdoptions } from "../adopt/adoptions.ts";
import { type ClaudeSettings, hasHook, isWhole } from "../adopt/hook-entries.ts";
import { readSettingsFile } from "../adopt/settings-file.ts";
import { hookPath } from "../terminals/terminal-paths.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./look.ts";
import { reasonOf } from "./words.ts";

/** Where Claude Code 2.1.330 reads what an administrator has said. */
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "/etc/claude-code/managed-settings.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
};
const AGAIN = "Run holdpoint adopt again.";

/** Whether the hooks that `adopt` wrote are there, new and allowed. `policy`: the administrator's file. */
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
  const user = join(configDir(env), "settings.json");
  for (const path of new Set([user, ...adoptions.map((adoption) => adoption.path)])) {
    const file = await read(path, findings);
    if (file?.["disableAllHooks"] === true) {
      findings.problem(`${path} switches all hooks off.`, "Take disableAllHooks out of it.");
    }
    const isAdopted = adoptions.some((adoption) => adoption.path === path);
    if (file && isAdopted) lookAtHooks(findings, { path, file, program });
  }
  await lookAtPolicy(findings, policy);
  return findings.list;
}

function lookAtHooks(
  findings: Findings,
  {
    path,
    file,
    program,
  }: { readonly path: string; readonly file: ClaudeSettings; readonly program: string },
): void {
  if (isWhole(file, program)) findings.ok(`Claude Code asks by ${path}`, { path });
  else if (hasHook(file, program)) findings.problem(`${path} has only some of the hooks.`, AGAIN);
  else findings.problem(`${path} has the hooks no more.`, `${AGAIN} Or: holdpoint adopt --undo.`);
}

async function read(path: string, findings: Findings): Promise<ClaudeSettings | undefined> {
  try {
    return (await readSettingsFile(path)).settings;
  } catch (error: unknown) {
    findings.problem(reasonOf(error), "Claude Code may not read it either.");
    return undefined;
  }
}

/** An administrator's settings count more than all others. */
async function lookAtPolicy(findings: Findings, path: string | undefined): Promise<void> {
  const text = path === undefined ? undefined : await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  let policy: Record<string, unknown>;
  try {
    policy = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    findings.note(`${path} cannot be read: whether it allows hooks is not known.`);
    return;
  }
  const names = ["allowManagedHooksOnly", "disableAllHooks"].filter(
    (name) => policy[name] === true,
  );
  if (names.length === 0) return;
  findings.problem(
    `your administrator allows no hooks but their own (${names.join(", ")} in ${path}).`,
    "Only they can change that; terminals ask on the screen alone.",
  );
}
