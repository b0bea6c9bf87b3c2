import { basename } from "node:path";

import { expandGlob, isGlob } from "./expand-glob.ts";
import { findGitProgram, type GitUse } from "./find-git-program.ts";
import { findBases, isFolder, MAX_BASES, MAX_PATH_CHARACTERS } from "./judge-paths.ts";
import type { Judge } from "./judge-tool-use.ts";
import type { Verdict } from "./protected-paths.ts";
import { shellWords } from "./shell-words.ts";

const COMMAND_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);
/**
 * Tools with which a runtime itself runs git: it creates or removes a worktree and fetches for it, or runs the commands
 * in a skill's text.
 */
const GIT_TOOLS: ReadonlySet<string> = new Set(["EnterWorktree", "ExitWorktree", "Skill"]);
const AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task"]);
/** Agents that get their own worktree only if the call asks for it. Other agents are unknown. */
const PLAIN_AGENTS: ReadonlySet<unknown> = new Set([
  undefined,
  "general-purpose",
  "Explore",
  "Plan",
  "claude",
]);
/** Git, and programs that run it. */
const GIT = /^(?:git(?:-[\w-]+)?|gh|hub|tig)(?:\.exe)?$/i;
/** Options with which git looks into repositories that are in no index. */
const LOOKS_FURTHER = /^--(?:submodule|recurse-submodules)/;
/** Bytes that are not UTF-8, escaped or as the replacement character. */
const NO_TEXT = /\\(?:x[89a-f]|[2-3][0-7]{2})|\uFFFD/i;

/**
 * A judge of commands with git, and of other tools with which a runtime runs git. A runtime treats commands such as
 * `git status` as reading and asks no one, but they can run programs named in a repository's own settings, and a folder
 * from elsewhere can contain such a repository.
 */
export function createGitJudge(environment: Readonly<Record<string, string | undefined>>): Judge {
  return async ({ toolName, input, cwd }) => {
    const { command, path } = input;
    if (runsGit(toolName, input)) {
      const words = typeof path === "string" ? [path] : [];
      const program = await findProgram(words, { cwd, use: "writes" }).catch(String);
      return program === undefined ? undefined : ask(program);
    }
    if (!COMMAND_TOOLS.has(toolName) || typeof command !== "string") return undefined;
    const found = shellWords(command, { ...environment, PWD: cwd });
    if (found === undefined) {
      return /git/i.test(command) ? ask("the command is too long") : undefined;
    }
    if (![...found.words].some((word) => GIT.test(basename(word)))) return undefined;
    if (NO_TEXT.test(command)) return ask("the command names something that is not text");
    const words = [...found.words, ...found.tails];
    if (words.some((word) => LOOKS_FURTHER.test(word))) return ask("the repositories within it");
    const program = await findProgram(words, { cwd, use: "reads" }).catch(String);
    return program === undefined ? undefined : ask(program);
  };
}

function runsGit(toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  if (GIT_TOOLS.has(toolName)) return true;
  const { isolation, subagent_type: type } = input;
  return AGENT_TOOLS.has(toolName) && (isolation !== undefined || !PLAIN_AGENTS.has(type));
}

async function findProgram(
  words: readonly string[],
  { cwd, use }: { readonly cwd: string; readonly use: GitUse },
): Promise<string | undefined> {
  const paths = words.filter((word) => word.length <= MAX_PATH_CHARACTERS && !word.includes("\0"));
  const folders = await expandAll(paths, cwd);
  if (folders === undefined) return "the command names too many folders";
  // A folder whose name is not valid text cannot be identified.
  if ([cwd, ...folders].some((path) => NO_TEXT.test(path))) return "a folder with an unusual name";
  const bases = await findBases(folders, { folder: cwd, isNear: true });
  if (bases.length > MAX_BASES) return "the command names too many folders";
  for (const { folder } of bases) {
    const program = await findGitProgram(folder, use);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** Adds the folders that match patterns. `undefined`: there are too many. */
async function expandAll(
  paths: readonly string[],
  cwd: string,
): Promise<readonly string[] | undefined> {
  const all = [...paths];
  for (const path of paths.filter(isGlob)) {
    const found = await expandGlob(path, cwd);
    if (found === undefined) return undefined;
    const folders = await Promise.all(
      found.map(async (each) => ((await isFolder(each)) ? [each] : [])),
    );
    all.push(...folders.flat());
  }
  return all;
}

function ask(program: string): Verdict {
  return {
    action: "ask",
    reason: `This runs git, and the repository can make git run another program: ${program}.`,
  };
}
