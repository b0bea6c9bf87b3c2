import type {
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from "@anthropic-ai/claude-agent-sdk";
import { type ApprovalScope, type Saying, saying, type Told } from "@holdpoint/protocol";

import { labelOfMode } from "./permission-modes.ts";
import type { ToolAsk, ToolAskFacts } from "./tool-ask.ts";

/** What a person may allow beyond one call, and who makes it true. */
export interface WiderScopes {
  readonly scopes: readonly ApprovalScope[];
  readonly scopeText: { readonly session?: Told; readonly always?: Told };
  /** The gateway remembers it: calls with the same key pass. */
  readonly grantKey?: string;
  readonly grantFamily?: string;
  /** The runtime is told, for the rest of its session: a change of its permission mode, which every client sees. */
  readonly updates?: readonly PermissionUpdate[];
}

const ONCE_ONLY: WiderScopes = { scopes: ["once"], scopeText: {} };

/** In every other mode, what still asks is what nothing but a person may answer: planning, and a classifier's verdict. */
const GRANTING_MODES: ReadonlySet<PermissionMode> = new Set(["default", "acceptEdits"]);

/** Leaves the mode that plans. An approval for longer chooses the mode that follows. */
export const PLAN_TOOL = "ExitPlanMode";

const EDIT_TOOLS: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const MAX_TEXT_LENGTH = 300;

export interface AskPlace {
  readonly cwd: string;
  readonly mode: PermissionMode;
  /** Where the path of its file leads, with all links followed. Absent for a call that names none. */
  readonly leadsTo?: string | undefined;
}

/**
 * What a person may allow for longer: this call and nothing else. The runtime's suggestions, which are prefixes, patterns
 * and folders, widen nothing. They only say whether the call may be remembered at all: the runtime makes none for a call
 * that no rule can cover, such as a command within a command. What is not known here widens nothing.
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

/** The file that a call names which edits or reads one. */
export function pathOf({
  toolName,
  input,
}: Pick<ToolAsk, "input" | "toolName">): string | undefined {
  if (!EDIT_TOOLS.has(toolName) && toolName !== "Read") return undefined;
  const path = input["file_path"] ?? input["notebook_path"];
  return typeof path === "string" ? path : undefined;
}

/** What a rule forces, what must not be allowed by one keystroke, and what leaves the sandbox is for a person each time. */
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

/** `undefined` for no suggestions, and for any of a kind that allows nothing or is not known. */
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
  /** What is the same in all of them. */
  readonly key: unknown;
  readonly family?: string;
}

/** Each edit of one file, by any tool; of none that the runtime calls sensitive. */
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

/** The call with exactly these arguments, without what only explains them. */
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
    // Where its name is not what the tool's name says: two servers can have tools of one name.
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

/** The same call is asked about again when the runtime asks for another reason, such as a link that now leads elsewhere. */
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

/** A rule as the runtime writes it, such as `Bash(npm run *)`. */
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

/** The server of a tool, as the person has named it. */
function serverOf({ about }: ToolAsk): string | undefined {
  return about.mcpServer?.name;
}

/** What the name of a tool says of its server. It can be the beginning of a server's name. */
function serverInName(toolName: string): string | undefined {
  return /^mcp__(.+?)__.+$/u.exec(toolName)?.[1];
}

/** Says something of a text on one line. What is cut off is counted; the person sees all of it above. */
function lineOf(text: string, toSaying: (line: string) => Saying): readonly Saying[] {
  const line = text.replaceAll("\n", "⏎");
  const count = line.length - MAX_TEXT_LENGTH;
  if (count <= 0) return [toSaying(line)];
  return [toSaying(`${line.slice(0, MAX_TEXT_LENGTH)}…`), saying("cut_off", { count })];
}
