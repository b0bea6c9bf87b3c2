import type { PermissionMode, PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { type ApprovalScope, inEnglish, type Saying, saying, type Told } from "@holdpoint/protocol";

import { labelOfMode } from "../claude/permission-modes.ts";
import { toRuleText } from "../claude/wider-scopes.ts";

/** What a person may allow a terminal's agent beyond one call. The runtime makes it true, and keeps it. */
export interface TerminalScopes {
  readonly scopes: readonly ApprovalScope[];
  readonly scopeText: { readonly session?: Told; readonly always?: Told };
  /** What goes back to the runtime for each. */
  readonly updates: Readonly<Partial<Record<ApprovalScope, readonly PermissionUpdate[]>>>;
}

const ONCE_ONLY: TerminalScopes = { scopes: ["once"], scopeText: {}, updates: {} };
const MAX_SUGGESTIONS = 20;
const MAX_TEXT_LENGTH = 300;

/** Where the runtime keeps what lasts. */
const KEPT_IN: ReadonlyMap<string, Saying> = new Map([
  ["localSettings", saying("kept_for_project_here")],
  ["projectSettings", saying("kept_for_project")],
  ["userSettings", saying("kept_for_person")],
]);
/** The other modes would let pass more than anybody has looked at. */
const MODES: ReadonlySet<PermissionMode> = new Set(["default", "acceptEdits", "plan"]);

/**
 * The runtime's own suggestions, said in full: for its session, and as it would keep them. What is not known here, and what would
 * take something away, widens nothing. A change of mode is offered only where the runtime suggests nothing narrower.
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
      return isListOf(update["directories"], isText);
    case "setMode":
      return MODES.has(update["mode"] as PermissionMode) && destination === "session";
    default:
      return false;
  }
}

function isRule(value: unknown): boolean {
  const { toolName, ruleContent } = Object(value) as Record<string, unknown>;
  return isText(toolName) && (ruleContent === undefined || isText(ruleContent));
}

function isText(value: unknown): boolean {
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
