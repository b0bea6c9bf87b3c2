import type { PermissionMode, PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { type ApprovalScope, inEnglish, type Saying, saying, type Told } from "@holdpoint/protocol";

import { labelOfMode } from "../claude/permission-modes.ts";
import { toRuleText } from "../claude/wider-scopes.ts";

/** Scopes that a person may allow a terminal's agent beyond one call. The runtime applies and stores them. */
export interface TerminalScopes {
  readonly scopes: readonly ApprovalScope[];
  readonly scopeText: { readonly session?: Told; readonly always?: Told };
  /** The permission updates returned to the runtime for each scope. */
  readonly updates: Readonly<Partial<Record<ApprovalScope, readonly PermissionUpdate[]>>>;
}

const ONCE_ONLY: TerminalScopes = { scopes: ["once"], scopeText: {}, updates: {} };
const MAX_SUGGESTIONS = 20;
const MAX_TEXT_LENGTH = 300;

/** Where the runtime stores lasting permissions. */
const KEPT_IN: ReadonlyMap<string, Saying> = new Map([
  ["localSettings", saying("kept_for_project_here")],
  ["projectSettings", saying("kept_for_project")],
  ["userSettings", saying("kept_for_person")],
]);
/** Other modes would let calls pass that no one has looked at. */
const MODES: ReadonlySet<PermissionMode> = new Set(["default", "acceptEdits", "plan"]);

/**
 * The runtime's own suggestions, spelled out: for its session, and as it would store them. Suggestions that are
 * unknown, or would remove permissions, widen nothing (R-5). A mode change is offered only if the runtime suggests
 * nothing narrower.
 */
export function terminalScopes(suggestions: readonly unknown[]): TerminalScopes {
  if (suggestions.length === 0 || suggestions.length > MAX_SUGGESTIONS) return ONCE_ONLY;
  const known = suggestions.filter(isKnown);
  if (known.length < suggestions.length) return ONCE_ONLY;
  const narrow = known.filter(({ type }) => type !== "setMode");
  const updates = narrow.length > 0 ? narrow : known;
  const said = updates.flatMap(toSayings);
  if (inEnglish(said).length > MAX_TEXT_LENGTH) return ONCE_ONLY;
  const session = updates.map((update) => ({ ...update, destination: "session" as const }));
  const places = new Set(updates.flatMap(({ destination }) => KEPT_IN.get(destination) ?? []));
  const isKept = places.size > 0;
  return {
    scopes: ["once", "session", ...(isKept ? (["always"] as const) : [])],
    scopeText: {
      session: [...said, saying("in_terminal_session")],
      ...(isKept && { always: [...said, ...places] }),
    },
    updates: { session, ...(isKept && { always: updates }) },
  };
}

function isKnown(value: unknown): value is PermissionUpdate {
  const update = Object(value) as Partial<Record<string, unknown>>;
  const { type, destination } = update;
  if (destination !== "session" && !KEPT_IN.has(String(destination))) return false;
  switch (type) {
    case "addRules":
      return update["behavior"] === "allow" && isListOf(update["rules"], isRule);
    case "addDirectories":
      return isListOf(update["directories"], isFolder);
    case "setMode":
      return MODES.has(update["mode"] as PermissionMode) && destination === "session";
    default:
      return false;
  }
}

/** Tools that can do or reach everything, so a rule for them needs content. */
const NEEDS_CONTENT =
  /^(?:Bash|PowerShell|Shell|exec|Read|Write|Edit|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS|WebFetch|Agent|Task|Skill|Monitor|SlashCommand|REPL)$/iu;

/**
 * Whether a rule is narrow enough for a person to judge: not one for all calls of such a tool, or for all tools of a
 * server.
 */
function isRule(value: unknown): boolean {
  const { toolName, ruleContent } = Object(value) as Record<string, unknown>;
  if (!isText(toolName) || !/^[\w.-]+$/u.test(toolName)) return false;
  if (toolName.startsWith("mcp__") && !/^mcp__.+?__[^_]/u.test(toolName)) return false;
  if (ruleContent === undefined) return !NEEDS_CONTENT.test(toolName);
  return isText(ruleContent) && !isEverything(ruleContent);
}

/**
 * Whether the content matches everything, with wildcards or their equivalents: `*`, `:*`, `domain:*`, `//**`, `~/**`,
 * `bash -c:*`.
 */
function isEverything(content: string): boolean {
  const said = content.trim().replace(/^(?:domain|path|prefix|url|command)\s*[:=]/iu, "");
  if (!/[\p{L}\p{N}]/u.test(said)) return true;
  const [first = "", ...rest] = said.replace(/:\*$/u, " *").split(/\s+/u);
  const name = first.slice(first.lastIndexOf("/") + 1).replace(/(?<![\d.])[\d.]+$/u, "");
  return RUNS_EVERYTHING.test(name) && rest.some((word) => /[*?]/u.test(word));
}

/** Programs that can run any command, given arguments. */
const RUNS_EVERYTHING =
  /^(?:\w*sh|env|sudo|doas|su|eval|exec|command|xargs|nohup|timeout|time|nice|python|node|ruby|perl|php|deno|bun|npx|awk|find)$/iu;

/** A folder that contains all others, or all of a person's files. */
const WIDE_FOLDER = /^(?:[A-Za-z]:|[~$][^/]*|\/(?!tmp$)[^/]*|\/(?:home|Users)\/[^/]*)?$/u;

function isFolder(value: unknown): boolean {
  if (!isText(value)) return false;
  const parts = value.replaceAll("\\", "/").split("/");
  const named = parts.filter((part) => part !== "" && part !== ".");
  if (named.some((part) => part === ".." || /[*?]/u.test(part))) return false;
  const root = parts[0] === "" ? "/" : "";
  return !WIDE_FOLDER.test(root + named.join("/"));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isOne);
}

function toSayings(update: PermissionUpdate): Saying[] {
  switch (update.type) {
    case "addRules":
      return update.rules.map((rule) => saying("covers_rule", { rule: toRuleText(rule) }));
    case "addDirectories":
      return update.directories.map((folder) => saying("covers_folder", { folder }));
    case "setMode":
      return [saying("changes_mode", { label: labelOfMode(update.mode) })];
    default:
      return [];
  }
}
