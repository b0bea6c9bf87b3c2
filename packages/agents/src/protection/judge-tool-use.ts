import { basename } from "node:path";

import { findLinks, followsLinks } from "./find-links.ts";
import { findPlaces, type Places } from "./judge-paths.ts";
import { isConfigName, type ProtectedPaths, type Verdict } from "./protected-paths.ts";
import { type ShellWords, shellWords, squash } from "./shell-words.ts";

/** A tool call, independent of the runtime. */
export interface ToolUse {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool's working directory. */
  readonly cwd: string;
  /** The runtime's id of the call, which stays the same when an agent host repeats the call. */
  readonly callId?: string;
}

export interface JudgeOptions {
  readonly paths: ProtectedPaths;
  /** Whether a tool asks a person itself before it changes anything. */
  readonly asksItself?: (toolName: string) => boolean;
  /** The agent's environment, since its variables can be part of a path. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The reason that a person is shown for a change. */
  readonly changeReason?: string;
}

const DENIED: Verdict = {
  action: "deny",
  reason:
    "This would reach the data folder of the gateway. No agent may read or change it, and no approval can allow it. " +
    "Work in another folder.",
};
const SEARCHED: Verdict = {
  action: "deny",
  reason: "This would also search the data folder of the gateway. Search in a folder next to it.",
};
const ABOVE: Verdict = {
  action: "ask",
  reason:
    "This names a folder that contains the data folder of the gateway, and may read or change it.",
};
const CHANGES_CONFIG =
  "This may change what the gateway itself loads and runs: its config or its tools.";
const LINKED: Verdict = {
  action: "deny",
  reason:
    "This follows links, and one in its folder leads into the data folder of the gateway. Leave out the option that " +
    "follows links, or work in a folder without that link.",
};
const LINKED_ABOVE: Verdict = {
  action: "ask",
  reason:
    "This follows links, and one in its folder leads to a folder that contains the data folder of the gateway.",
};
const UNKNOWN_LINKS: Verdict = {
  action: "ask",
  reason:
    "This follows links, and there are too many files to check whether one leads to the data folder of the gateway.",
};
const TOO_LONG: Verdict = {
  action: "ask",
  reason: "This names too many paths to check whether it reaches the data folder of the gateway.",
};

const READING_TOOLS: ReadonlySet<string> = new Set([
  "Read",
  "NotebookRead",
  "Grep",
  "Glob",
  "LS",
  "LSP",
]);
const SEARCHING_TOOLS: ReadonlySet<string> = new Set(["Grep", "Glob"]);
/** Tools whose `TEXT_KEYS` are known not to be paths. */
const FILE_TOOLS: ReadonlySet<string> = new Set([
  "Read",
  "Write",
  "Edit",
  "MultiEdit",
  "NotebookEdit",
]);
const TEXT_KEYS: ReadonlySet<string> = new Set([
  "content",
  "old_string",
  "new_string",
  "new_source",
]);
const COMMAND_KEY = /^(?:command|cmd|script|code)$/iu;
const PATH_KEY = /path|file|dir|folder|ur[il]$/iu;
/** Programs that put files into a folder that they name, without naming the files. */
const FILE_PROGRAMS =
  /(?:^|[\s;|&(/])(?:cp|mv|rm|ln|rsync|tar|unzip|install|rmdir|patch|cpio)(?:\s|$)/u;
const HARMLESS_REDIRECTION = /\d?>(?:&\d|\s*\/dev\/null)/gu;
const READING_COMMAND = /^(?:cat|cd|echo|grep|head|ls|pwd|stat|tail|wc)(?:\s[^<>$`(){}]*)?$/u;

/**
 * Decides what must happen to a tool call before anyone may allow it; `undefined`: nothing. Never rejects: asks when
 * the signal aborts.
 */
export type Judge = (use: ToolUse, signal?: AbortSignal) => Promise<Verdict | undefined>;

export function createJudge(options: JudgeOptions): Judge {
  const { deny, ask } = options.paths;
  if (deny.length + ask.length === 0) return () => Promise.resolve(undefined);
  return async (use) => {
    try {
      const verdict = await judgeToolUse(use, options);
      return verdict?.action === "ask" && options.asksItself?.(use.toolName) ? undefined : verdict;
    } catch (error: unknown) {
      const cause = error instanceof Error ? error.message : String(error);
      return {
        action: "deny",
        reason: `The files that this reaches could not be checked: ${cause}`,
      };
    }
  };
}

async function judgeToolUse(
  { toolName, input, cwd }: ToolUse,
  { paths, environment, changeReason }: JudgeOptions,
): Promise<Verdict | undefined> {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? "/";
  const where = { paths, cwd, home, environment, ...(changeReason && { changeReason }) };
  const texts = textsOf(input).filter(
    ({ key }) => !(FILE_TOOLS.has(toolName) && TEXT_KEYS.has(key)),
  );
  if (SEARCHING_TOOLS.has(toolName)) {
    const words = texts.map(({ text }) => text);
    return judgeSearch(await findPlaces(words, { ...where, isShell: true }));
  }
  const verdicts: (Verdict | undefined)[] = [];
  for (const { key, text } of texts) {
    if (COMMAND_KEY.test(key)) verdicts.push(await judgeCommand(text, where));
    verdicts.push(await judgePath({ toolName, key, text }, where));
  }
  return verdicts.find((verdict) => verdict?.action === "deny") ?? verdicts.find(Boolean);
}

/** Judges a text of an input, which may be a path. */
async function judgePath(
  { toolName, key, text }: { toolName: string; key: string; text: string },
  where: Where,
): Promise<Verdict | undefined> {
  const places = await findPlaces([text], { ...where, isShell: false });
  if (isInside(places)) return DENIED;
  const isKnownPath = PATH_KEY.test(key);
  const mayBePath = isKnownPath || /[/\\]/u.test(text);
  if (READING_TOOLS.has(toolName) || !mayBePath) return undefined;
  if (places.relations.some(({ denied }) => denied === "above")) return ABOVE;
  return mayChangeConfig(places, isKnownPath ? [text] : []) ? changes(where) : undefined;
}

function isInside({ relations }: Places): boolean {
  return relations.some(({ denied }) => denied === "inside");
}

function mayChangeConfig({ relations }: Places, paths: Iterable<string>): boolean {
  const isNamed = relations.some(({ asked }) => asked === "inside");
  return isNamed || [...paths].some((path) => isConfigName(basename(path)));
}

function judgeSearch(places: Places): Verdict | undefined {
  if (isInside(places)) return DENIED;
  const isAbove = places.relations.some(({ denied }) => denied === "above");
  return isAbove || !places.isComplete ? SEARCHED : undefined;
}

interface Where extends JudgeOptions {
  readonly cwd: string;
  readonly home: string;
}

async function judgeCommand(command: string, where: Where): Promise<Verdict | undefined> {
  const { cwd, home, paths, environment } = where;
  const squashed = squash(command);
  const spelled = paths.deny.flatMap((path) => spellings(path, home));
  if (spelled.some((path) => squashed.includes(path))) return DENIED;
  const found = shellWords(command, { ...environment, PWD: cwd });
  if (found === undefined) return TOO_LONG;
  const places = await findPlaces(found.words, { ...where, isShell: true });
  const reached = await judgeReached(found, places, where);
  return reached ?? judgeChange(command, found.words, { places, where });
}

/** Judges whether a command reaches the data folder. */
async function judgeReached(
  { words, tails }: ShellWords,
  places: Places,
  where: Where,
): Promise<Verdict | undefined> {
  const ends = await findPlaces(tails, { ...where, isShell: false });
  if (isInside(places) || isInside(ends)) return DENIED;
  if (!places.isComplete || !ends.isComplete) return TOO_LONG;
  const linked = await judgeLinks(words, where);
  if (linked?.action === "deny") return linked;
  return places.relations.some(({ denied }) => denied === "above") ? ABOVE : linked;
}

/** Judges whether a command changes config or tools. */
function judgeChange(
  command: string,
  words: ReadonlySet<string>,
  { places, where }: { readonly places: Places; readonly where: Where },
): Verdict | undefined {
  if (onlyReads(command)) return undefined;
  const holdsConfig = places.relations.some(({ asked }) => asked === "above");
  const isConfig = mayChangeConfig(places, words) || (FILE_PROGRAMS.test(command) && holdsConfig);
  return isConfig ? changes(where) : undefined;
}

/** Judges links in the searched folders, through which a command can reach files that it does not name. */
async function judgeLinks(
  words: ReadonlySet<string>,
  { paths, cwd }: Where,
): Promise<Verdict | undefined> {
  if (paths.deny.length === 0 || !followsLinks(words)) return undefined;
  switch (await findLinks(words, { paths, cwd })) {
    case "inside":
      return LINKED;
    case "above":
      return LINKED_ABOVE;
    case "unknown":
      return UNKNOWN_LINKS;
    case undefined:
      return undefined;
  }
}

function changes({ changeReason = CHANGES_CONFIG }: Where): Verdict {
  return { action: "ask", reason: changeReason };
}

function onlyReads(command: string): boolean {
  const parts = command.replaceAll(HARMLESS_REDIRECTION, "").split(/[;|&\n]+/u);
  return parts.every((part) => part.trim() === "" || READING_COMMAND.test(part.trim()));
}

/** The spellings of a path in a program's text. */
function spellings(path: string, home: string): string[] {
  const inHome = path.startsWith(`${home}/`) ? path.slice(home.length) : undefined;
  const heads = inHome === undefined ? [] : ["~", "$home", "${home}"];
  return [squash(path), ...heads.map((head) => head + squash(inHome ?? ""))];
}

/** All texts of an input, each with its key. */
function textsOf(value: unknown, key = ""): { readonly key: string; readonly text: string }[] {
  if (typeof value === "string") return [{ key, text: value }];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, name));
}
