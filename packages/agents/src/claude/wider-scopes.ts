import type {
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from "@anthropic-ai/claude-agent-sdk";
import type { ApprovalScope } from "@holdpoint/protocol";

import { describeRule, toRuleText } from "./describe-rule.ts";
import { labelOfMode } from "./permission-modes.ts";
import type { ToolAsk, ToolAskFacts } from "./tool-ask.ts";

/** What a person may allow beyond one call, and who makes it true. */
export interface WiderScopes {
  readonly scopes: readonly ApprovalScope[];
  readonly scopeText: { readonly session?: string; readonly always?: string };
  /** The gateway remembers it: calls with the same key pass. */
  readonly grantKey?: string;
  readonly grantFamily?: string;
  /** The runtime is told, for the rest of its session: a change of its permission mode, which every client sees. */
  readonly updates?: readonly PermissionUpdate[];
}

const ONCE_ONLY: WiderScopes = { scopes: ["once"], scopeText: {} };

/** In every other mode, what still asks is what nothing but a person may answer: planning, and a classifier's verdict. */
const GRANTING_MODES: ReadonlySet<PermissionMode> = new Set(["default", "acceptEdits"]);

const EDIT_TOOLS: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/**
 * What the runtime's suggestions make possible. They are what the runtime itself would need in order to allow the call,
 * and it makes none for a call that no rule can cover, such as a command within a command. So a grant is found by them:
 * a later call passes when it needs exactly the same, for the same reason, in the same folder. The rules themselves stay
 * here, where a grant is listed, ends and can be revoked. What is not known here widens nothing.
 */
export function widerScopes(
  ask: ToolAsk,
  { cwd, mode }: { readonly cwd: string; readonly mode: PermissionMode },
): WiderScopes {
  const { toolName, about } = ask;
  const needs = isForPeopleOnly(ask) ? undefined : readNeeds(about.suggestions ?? []);
  if (!needs) return ONCE_ONLY;
  const { rules, directories, modes } = needs;
  const isEdit = EDIT_TOOLS.has(toolName);
  if (rules.length + directories.length === 0 && !isEdit) return modeScope(modes);
  if (!GRANTING_MODES.has(mode)) return ONCE_ONLY;
  if (!isEdit) {
    const covered = [
      ...rules.map((rule) => `${describeRule(rule)} [${toRuleText(rule)}]`),
      ...directories.map((directory) => `files in ${directory}`),
    ];
    return grantScopes(covered, { about, needs, cwd });
  }
  if (rules.length > 0) return ONCE_ONLY;
  const folders = directories.length > 0 ? directories : foldersOfEdit(about, modes, cwd);
  const covered = folders.map((folder) => `every edit of a file in ${folder}`);
  if (covered.length === 0) return ONCE_ONLY;
  return { ...grantScopes(covered, { about, needs, cwd }), grantFamily: "edit" };
}

/**
 * What a rule forces, what must not be allowed by one keystroke, and what leaves the sandbox is for a person each time. The
 * suggestions for a command are the same within the sandbox and without.
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

/** An edit needs nothing but the mode that accepts edits if it is in the folder, and not of a sensitive file. */
function foldersOfEdit(
  { decisionReason }: ToolAskFacts,
  modes: readonly PermissionMode[],
  cwd: string,
): readonly string[] {
  return decisionReason === undefined && modes.includes("acceptEdits") ? [cwd] : [];
}

function grantScopes(
  covered: readonly string[],
  { about, needs, cwd }: { about: ToolAskFacts; needs: Needs; cwd: string },
): WiderScopes {
  const what =
    covered.length === 1
      ? covered.join("")
      : `a call that needs all of these: ${covered.join("; ")}`;
  const { decisionReason = "", blockedPath = "" } = about;
  const rules = needs.rules.map(toRuleText).toSorted();
  const directories = needs.directories.toSorted();
  return {
    scopes: ["once", "session", "always"],
    scopeText: {
      session: `Until this session ends, without asking: ${what}.`,
      always: `In every session in ${cwd}, without asking: ${what}.`,
    },
    grantKey: JSON.stringify([cwd, rules, directories, decisionReason, blockedPath]),
  };
}

function modeScope(modes: readonly PermissionMode[]): WiderScopes {
  const mode = modes.at(-1);
  if (mode === undefined) return ONCE_ONLY;
  return {
    scopes: ["once", "session"],
    scopeText: {
      session: `Until this session ends: the permission mode becomes “${labelOfMode(mode)}”.`,
    },
    updates: [{ type: "setMode", mode, destination: "session" }],
  };
}
