import type {
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from "@anthropic-ai/claude-agent-sdk";
import { type ApprovalScope, type Saying, saying, type Told } from "@holdpoint/protocol";

import { labelOfMode } from "./permission-modes.ts";
import type { ToolAsk, ToolAskFacts } from "./tool-ask.ts";

/** Scopes that a person may allow beyond one call, and who applies them. */
export interface WiderScopes {
  readonly scopes: readonly ApprovalScope[];
  readonly scopeText: { readonly session?: Told; readonly always?: Told };
  /** For scopes that the gateway stores: calls with the same key pass. */
  readonly grantKey?: string;
  readonly grantFamily?: string;
  /**
   * For scopes that the runtime applies to the rest of its session: a change of its permission mode, visible to every
   * client.
   */
  readonly updates?: readonly PermissionUpdate[];
}

const ONCE_ONLY: WiderScopes = { scopes: ["once"], scopeText: {} };

/**
 * Modes in which a call can be allowed for longer. In other modes, the remaining requests always need a person:
 * planning, and a classifier's verdict.
 */
const GRANTING_MODES: ReadonlySet<PermissionMode> = new Set(["default", "acceptEdits"]);

/** Leaves plan mode. An approval for longer chooses the mode that follows. */
export const PLAN_TOOL = "ExitPlanMode";

const EDIT_TOOLS: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const MAX_TEXT_LENGTH = 300;

export interface AskPlace {
  readonly cwd: string;
  readonly mode: PermissionMode;
  /** The target of the call's path, with all links followed. Absent if the call names no file. */
  readonly leadsTo?: string | undefined;
}

/**
 * Longer scopes for exactly this call and nothing else. The runtime's suggestions are prefixes, patterns and folders;
 * they never widen a scope. They only show whether the call may be remembered: the runtime suggests nothing for a call
 * that no rule can cover, such as a command within a command. Unknown suggestions widen nothing.
 */
export function widerScopes(ask: ToolAsk, { mode, ...place }: AskPlace): WiderScopes {
  const { suggestions = [] } = ask.about;
  const needs = isForPeopleOnly(ask) ? undefined : readNeeds(suggestions);
  if (!needs) return ONCE_ONLY;
  if (ask.toolName === PLAN_TOOL) return modeScope(needs);
  if (!GRANTING_MODES.has(mode)) return ONCE_ONLY;
  const path = pathOf(ask);
  const link = place.leadsTo === path ? undefined : place.leadsTo;
  const coverage = EDIT_TOOLS.has(ask.toolName)
    ? coverageOfEdit(ask, needs, link)
    : coverageOfCall(ask, link);
  return coverage ? grantScopes(coverage, { ask, needs, cwd: place.cwd, link }) : ONCE_ONLY;
}

/** The file that a call edits or reads. */
export function pathOf({
  toolName,
  input,
}: Pick<ToolAsk, "input" | "toolName">): string | undefined {
  if (!EDIT_TOOLS.has(toolName) && toolName !== "Read") return undefined;
  const path = input["file_path"] ?? input["notebook_path"];
  return typeof path === "string" ? path : undefined;
}

/**
 * Whether a person must decide each time: a rule forces it, one keystroke must not allow it, or the call leaves the
 * sandbox.
 */
function isForPeopleOnly({ about, input }: ToolAsk): boolean {
  return (
    input["dangerouslyDisableSandbox"] === true ||
    about.suppressAlwaysAllowRule === true ||
    about.defaultToNo === true ||
    about.matchedAskRule !== undefined
  );
}

interface Needs {
  readonly rules: readonly PermissionRuleValue[];
  readonly directories: readonly string[];
  readonly modes: readonly PermissionMode[];
}

/** `undefined` if there are no suggestions, or if any of them is unknown or allows nothing. */
function readNeeds(suggestions: readonly PermissionUpdate[]): Needs | undefined {
  if (suggestions.length === 0) return undefined;
  const rules: PermissionRuleValue[] = [];
  const directories: string[] = [];
  const modes: PermissionMode[] = [];
  for (const update of suggestions) {
    if (update.type === "addRules" && update.behavior === "allow") rules.push(...update.rules);
    else if (update.type === "addDirectories") directories.push(...update.directories);
    else if (update.type === "setMode") modes.push(update.mode);
    else return undefined;
  }
  return { rules, directories, modes };
}

/** The calls that a grant covers. */
interface Coverage {
  readonly said: readonly Saying[];
  /** The part that is equal in all covered calls. */
  readonly key: unknown;
  readonly family?: string;
}

/** Covers every edit of one file by any tool, except edits that the runtime calls sensitive. */
function coverageOfEdit(
  ask: ToolAsk,
  { rules, directories, modes }: Needs,
  link: string | undefined,
): Coverage | undefined {
  const path = pathOf(ask);
  const isPlain = ask.about.decisionReason === undefined && modes.includes("acceptEdits");
  if (path === undefined || rules.length > 0) return undefined;
  if (!isPlain && directories.length === 0) return undefined;
  return {
    said: lineOf(withLink(path, link), (line) => saying("covers_edits", { path: line })),
    key: ["edit", path],
    family: "edit",
  };
}

/** Covers calls with exactly these arguments, ignoring arguments that only explain the call. */
function coverageOfCall(ask: ToolAsk, link: string | undefined): Coverage {
  const { toolName, input } = ask;
  const { command, description, file_path: path, url } = input;
  if (toolName === "Bash" && typeof command === "string") {
    const { description: _, ...rest } = input;
    const key = typeof description === "string" ? rest : input;
    const said = lineOf(command, (line) => saying("covers_command", { command: line }));
    return { said, key: ["call", key] };
  }
  if (toolName === "Read" && typeof path === "string") {
    const said = lineOf(withLink(path, link), (line) => saying("covers_reading", { path: line }));
    return { said, key: ["read", path] };
  }
  if (toolName === "WebFetch" && typeof url === "string") {
    const said = lineOf(url, (line) => saying("covers_fetching", { url: line }));
    return { said, key: ["fetch", url] };
  }
  const said = lineOf(JSON.stringify(input), (line) => callOf(ask, line));
  return { said, key: ["call", input] };
}

function withLink(path: string, link: string | undefined): string {
  return link === undefined ? path : `${path} → ${link}`;
}

interface Place {
  readonly ask: ToolAsk;
  readonly needs: Needs;
  readonly cwd: string;
  readonly link: string | undefined;
}

function grantScopes(
  { said, key, family }: Coverage,
  { ask, needs, cwd, link }: Place,
): WiderScopes {
  const server = serverOf(ask);
  const further = {
    ...(link !== undefined && { link }),
    // Needed where the tool's name does not identify its server: two servers can have tools of the same name.
    ...(server !== undefined && server !== serverInName(ask.toolName) && { server }),
  };
  return {
    scopes: ["once", "session", "always"],
    scopeText: {
      session: [...said, saying("in_session_at", { cwd })],
      always: [...said, saying("in_sessions_at", { cwd })],
    },
    grantKey: JSON.stringify([
      key,
      cwd,
      ...reasonsToAsk(ask.about, needs),
      ...(Object.keys(further).length > 0 ? [further] : []),
    ]),
    ...(family !== undefined && { grantFamily: family }),
  };
}

/**
 * The runtime's reasons for asking, as part of the key: a call is asked about again for another reason, such as a link
 * that leads elsewhere.
 */
function reasonsToAsk(
  { decisionReason = "", blockedPath = "" }: ToolAskFacts,
  { rules, directories }: Needs,
): readonly unknown[] {
  return [rules.map(toRuleText).toSorted(), directories.toSorted(), decisionReason, blockedPath];
}

function modeScope({ modes }: Needs): WiderScopes {
  const mode = modes.at(-1);
  if (mode === undefined) return ONCE_ONLY;
  return {
    scopes: ["once", "session"],
    scopeText: {
      session: [saying("changes_mode", { label: labelOfMode(mode) }), saying("in_session")],
    },
    updates: [{ type: "setMode", mode, destination: "session" }],
  };
}

/** A rule in the runtime's notation, such as `Bash(npm run *)`. */
export function toRuleText({ toolName, ruleContent }: PermissionRuleValue): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

function callOf(ask: ToolAsk, input: string): Saying {
  const { toolName } = ask;
  const server = serverOf(ask) ?? serverInName(toolName);
  if (server === undefined) return saying("covers_call", { tool: toolName, input });
  const prefix = `mcp__${server.replaceAll(/[^a-zA-Z0-9_-]/gu, "_")}__`;
  const tool = toolName.startsWith(prefix) ? toolName.slice(prefix.length) : toolName;
  return saying("covers_server_call", { tool, server, input });
}

/** The name that the person gave to the tool's server. */
function serverOf({ about }: ToolAsk): string | undefined {
  return about.mcpServer?.name;
}

/** The server according to the tool's name. It can be the beginning of a longer server name. */
function serverInName(toolName: string): string | undefined {
  const [, server, ...tool] = toolName.split("__");
  return toolName.startsWith("mcp__") && tool.length > 0 ? server : undefined;
}

/**
 * Builds a saying from a text, on one line. A long text is cut off, with the number of missing characters; the card
 * shows all of it.
 */
function lineOf(text: string, toSaying: (line: string) => Saying): readonly Saying[] {
  const line = text.replaceAll("\n", "⏎");
  const count = line.length - MAX_TEXT_LENGTH;
  if (count <= 0) return [toSaying(line)];
  return [toSaying(`${line.slice(0, MAX_TEXT_LENGTH)}…`), saying("cut_off", { count })];
}
