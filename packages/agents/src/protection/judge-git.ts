import { basename } from "node:path";

import { findGitProgram } from "./find-git-program.ts";
import { findBases, MAX_BASES, MAX_PATH_CHARACTERS } from "./judge-paths.ts";
import type { Judge } from "./judge-tool-use.ts";
import type { Verdict } from "./protected-paths.ts";
import { shellWords } from "./shell-words.ts";

const COMMAND_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);
/**
 * Tools with which a runtime runs git by itself: it makes or removes a worktree, and fetches for it, or runs the commands that
 * a skill has in its text.
 */
const GIT_TOOLS: ReadonlySet<string> = new Set(["EnterWorktree", "ExitWorktree", "Skill"]);
const AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task"]);
/** Agents that get no worktree of their own unless the call says so. Of others nobody knows. */
const PLAIN_AGENTS: ReadonlySet<unknown> = new Set([
  undefined,
  "general-purpose",
  "Explore",
  "Plan",
  "claude",
]);
const GIT = /^git(?:\.exe)?$/i;

/**
 * A judge of commands with git, and of other tools with which a runtime runs git. A runtime takes commands such as
 * `git status` for reading and asks nobody, but a repository's own settings can name programs that these run, and a folder
 * from elsewhere can bring such a repository.
 */
export function createGitJudge(environment: Readonly<Record<string, string | undefined>>): Judge {
  return async ({ toolName, input, cwd }) => {
    const { command, path } = input;
    if (runsGit(toolName, input)) {
      const program = await findProgram(typeof path === "string" ? [path] : [], cwd).catch(String);
      return program === undefined ? undefined : ask(program);
    }
    if (!COMMAND_TOOLS.has(toolName) || typeof command !== "string") return undefined;
    const found = shellWords(command, { ...environment, PWD: cwd });
    if (found === undefined) {
      return /git/i.test(command) ? ask("the command is too long") : undefined;
    }
    if (![...found.words].some((word) => GIT.test(basename(word)))) return undefined;
    const program = await findProgram([...found.words, ...found.tails], cwd).catch(String);
    return program === undefined ? undefined : ask(program);
  };
}

function runsGit(toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  if (GIT_TOOLS.has(toolName)) return true;
  const { isolation, subagent_type: type } = input;
  return AGENT_TOOLS.has(toolName) && (isolation !== undefined || !PLAIN_AGENTS.has(type));
}

async function findProgram(words: readonly string[], cwd: string): Promise<string | undefined> {
  const paths = words.filter((word) => word.length <= MAX_PATH_CHARACTERS && !word.includes("\0"));
  const bases = await findBases(paths, { folder: cwd, isNear: true });
  if (bases.length > MAX_BASES) return "the command names too many folders";
  for (const { folder } of bases) {
    const program = await findGitProgram(folder);
    if (program !== undefined) return program;
  }
  return undefined;
}

function ask(program: string): Verdict {
  return {
    action: "ask",
    reason: `This runs git, and the repository may have it run a program of its own: ${program}.`,
  };
}
