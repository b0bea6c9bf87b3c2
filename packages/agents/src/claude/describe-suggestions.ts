import type {
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from "@anthropic-ai/claude-agent-sdk";
import type { ApprovalScope } from "@holdpoint/protocol";

import { labelOfMode } from "./permission-modes.ts";

export interface OfferedScopes {
  readonly scopes: readonly ApprovalScope[];
  readonly scopeText: { readonly session?: string; readonly always?: string };
}

/**
 * The wider scopes that the runtime's suggestions make possible, and in plain words what each covers.
 * `session` keeps the narrow ones for this session; `always` keeps each where it wants to be kept, and is offered only
 * if one outlives the session. Suggestions of a kind that is not known here offer nothing.
 */
export function offerScopes(suggestions: readonly PermissionUpdate[]): OfferedScopes {
  const described = suggestions.map(describeUpdate);
  if (suggestions.length === 0 || described.includes(undefined)) {
    return { scopes: ["once"], scopeText: {} };
  }
  const narrow = narrowest(suggestions).map(describeUpdate);
  const session = `Until this session ends: ${narrow.join("; ")}.`;
  if (suggestions.every(({ destination }) => !isKept(destination))) {
    return { scopes: ["once", "session"], scopeText: { session } };
  }
  const always = suggestions
    .map(({ destination }, at) => `${described[at] ?? ""} (${describePlace(destination)})`)
    .join("; ");
  return {
    scopes: ["once", "session", "always"],
    scopeText: { session, always: `From now on: ${always}.` },
  };
}

/** What to hand to the runtime for an approval of this scope. */
export function updatesOf(
  scope: ApprovalScope,
  suggestions: readonly PermissionUpdate[],
): PermissionUpdate[] {
  switch (scope) {
    case "once":
      return [];
    case "session":
      return narrowest(suggestions).map((update) => ({ ...update, destination: "session" }));
    case "always":
      return [...suggestions];
  }
}

/** A change of the permission mode covers far more than the call that was shown: it counts only if there is no other way. */
function narrowest(suggestions: readonly PermissionUpdate[]): readonly PermissionUpdate[] {
  const narrow = suggestions.filter((update) => update.type !== "setMode");
  return narrow.length > 0 ? narrow : suggestions;
}

function isKept(destination: PermissionUpdateDestination): boolean {
  return destination !== "session" && destination !== "cliArg";
}

function describePlace(destination: PermissionUpdateDestination): string {
  switch (destination) {
    case "userSettings":
      return "kept in your own Claude settings, for every folder";
    case "projectSettings":
      return "kept in .claude/settings.json of this folder";
    case "localSettings":
      return "kept in .claude/settings.local.json of this folder";
    case "session":
    case "cliArg":
      return "until this session ends";
  }
}

function describeUpdate(update: PermissionUpdate): string | undefined {
  switch (update.type) {
    case "addRules":
      return update.rules.map((rule) => describeRule(rule, update.behavior)).join("; ");
    case "setMode":
      return `the permission mode becomes “${labelOfMode(update.mode)}”`;
    case "addDirectories":
      return `Claude may also work in ${update.directories.join(", ")}`;
    case "removeDirectories":
      return `Claude may no longer work in ${update.directories.join(", ")}`;
    case "removeRules":
      return `these rules end: ${update.rules.map(toRuleText).join(", ")}`;
    case "replaceRules":
      return `all rules of this kind (${update.behavior}) become: ${update.rules.map(toRuleText).join(", ")}`;
    default:
      return undefined;
  }
}

function describeRule(rule: PermissionRuleValue, behavior: "allow" | "deny" | "ask"): string {
  const verb = { allow: "runs without asking", deny: "is refused", ask: "is asked about" }[
    behavior
  ];
  return `${describeUse(rule)} ${verb} [${toRuleText(rule)}]`;
}

/** A rule as the runtime writes it, such as `Bash(npm run *)`. */
function toRuleText({ toolName, ruleContent }: PermissionRuleValue): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

function describeUse({ toolName, ruleContent }: PermissionRuleValue): string {
  if (ruleContent === undefined) return `every use of ${describeTool(toolName)}`;
  if (toolName === "Bash") {
    const prefix = /^(.*?)(?::\*| \*)$/su.exec(ruleContent)?.[1];
    if (prefix !== undefined) return `every command that begins with “${prefix}”`;
    return ruleContent.includes("*")
      ? `every command that matches “${ruleContent}”`
      : `exactly the command “${ruleContent}”`;
  }
  const domain = /^domain:(.+)$/u.exec(ruleContent)?.[1];
  if (domain !== undefined) return `every use of ${toolName} on ${domain}`;
  return `every use of ${describeTool(toolName)} that matches “${ruleContent}”`;
}

function describeTool(toolName: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(toolName) ?? [];
  return server === undefined || tool === undefined ? toolName : `${tool} of the server ${server}`;
}
