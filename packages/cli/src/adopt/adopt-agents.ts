import { chmod, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import { isTerminalKind, type TerminalKind } from "@holdpoint/agents";

import { hookProgram } from "../terminals/hook-program.ts";
import { hookPath } from "../terminals/terminal-paths.ts";
import { UsageError } from "../usage-error.ts";
import { type Plan, planAdoption, undoAdoption, type Undone } from "./adopt-file.ts";
import { type Adoption, readAdoptions, writeAdoptions } from "./adoptions.ts";
import { findCurl, findProgram } from "./find-program.ts";
import { readSettingsFile, readText, writeText } from "./settings-file.ts";

/** The agents whose terminals can be adopted. */
export const ADOPTABLE: readonly TerminalKind[] = ["claude", "codex"];

export interface Place {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project whose settings are changed; absent for the person's own settings. */
  readonly project?: string | undefined;
}

/** Everything that adopting would write. */
export interface AdoptPlan extends Plan {
  /** The path of the hook. */
  readonly program: string;
  readonly programText: string;
}

/** Plans the adoption of an agent. Rejects with `UsageError` if something prevents it. */
export async function planAgent(
  kind: TerminalKind,
  { dataDir, env, project }: Place,
): Promise<AdoptPlan> {
  const program = hookPath(dataDir);
  const programText = hookProgram({ curl: await findCurl(env) });
  const file = await readSettingsFile(settingsPath(kind, env, project), project);
  const known = (await readAdoptions(dataDir)).find(({ path }) => path === file.path);
  return { ...planAdoption(kind, file, program, known), program, programText };
}

/** Whether this agent is installed on this machine, for this user. */
export async function hasAgent(kind: TerminalKind, env: Place["env"]): Promise<boolean> {
  const hasFolder = await stat(configDir(kind, env)).then(
    (folder) => folder.isDirectory(),
    () => false,
  );
  return hasFolder || (await findProgram(kind, env)) !== undefined;
}

/** Writes the hook, then the record of the previous settings, then the settings. */
export async function carryOut(dataDir: string, plan: AdoptPlan): Promise<void> {
  await writeText(plan.program, plan.programText);
  await chmod(plan.program, 0o700);
  const others = (await readAdoptions(dataDir)).filter(({ path }) => path !== plan.path);
  await writeAdoptions(dataDir, [...others, plan.adoption]);
  await writeText(plan.path, plan.text);
}

/**
 * Removes the hook from every matching settings file, or from the project's alone. Resolves to the result for each
 * file. An unreadable file stays adopted, so that its hooks still find their program.
 */
export async function undoAll(
  { dataDir, env, project }: Place,
  isMeant: (adoption: Adoption) => boolean = () => true,
): Promise<[string, Undone][]> {
  const program = hookPath(dataDir);
  const adoptions = await readAdoptions(dataDir);
  const only = project === undefined ? undefined : await projectPaths(env, project);
  const undone: [string, Undone][] = [];
  let left: readonly Adoption[] = adoptions;
  for (const adoption of adoptions) {
    if (!isMeant(adoption) || (only && !only.includes(adoption.path))) continue;
    const what = await undoAdoption(adoption, program);
    undone.push([adoption.path, what]);
    if (what === "unreadable") continue;
    left = left.filter((one) => one !== adoption);
    await writeAdoptions(dataDir, left);
  }
  if (left.length === 0) await rm(program, { force: true });
  return undone;
}

/** Whether the existing hook differs from the one that would be written now. */
export async function isOldHook({ dataDir, env }: Place): Promise<boolean> {
  const text = await readText(hookPath(dataDir));
  return text !== hookProgram({ curl: await findCurl(env) });
}

function projectPaths(env: Place["env"], project: string): Promise<string[]> {
  return Promise.all(
    ADOPTABLE.map(
      async (kind) => (await readSettingsFile(settingsPath(kind, env, project), project)).path,
    ),
  );
}

/**
 * The settings file. A project's file contains a path of this machine, so it is the local one, which is not committed.
 */
function settingsPath(kind: TerminalKind, env: Place["env"], project: string | undefined): string {
  const { user, local } = FILES[kind];
  return project === undefined ? join(configDir(kind, env), user) : join(project, local);
}

const FILES = {
  claude: { folder: ".claude", user: "settings.json", local: ".claude/settings.local.json" },
  codex: { folder: ".codex", user: "hooks.json", local: ".codex/hooks.json" },
} as const;
const CONFIG_VARIABLES = { claude: "CLAUDE_CONFIG_DIR", codex: "CODEX_HOME" } as const;

export function configDir(kind: TerminalKind, env: Place["env"]): string {
  return env[CONFIG_VARIABLES[kind]] ?? join(env["HOME"] ?? homedir(), FILES[kind].folder);
}

/** Throws `UsageError` for an agent that cannot be adopted. */
export function assertAdoptable(agent: string): asserts agent is TerminalKind {
  if (isTerminalKind(agent)) return;
  throw new UsageError(`"${agent}" cannot be adopted. Choose one of: ${ADOPTABLE.join(", ")}.`);
}
