import type { PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";

/** What a session needs to go on in a new process. Never changed in place. */
export interface SavedState {
  /** The runtime's own id of the conversation. */
  readonly conversationId?: string;
  /** What a person allowed for the session; the runtime forgets it with its process. */
  readonly grants: SessionGrants;
}

export interface SessionGrants {
  readonly allow: readonly string[];
  readonly additionalDirectories: readonly string[];
}

export const emptyState: SavedState = { grants: { allow: [], additionalDirectories: [] } };

export function serializeState(state: SavedState): string {
  return JSON.stringify({ version: 1, ...state });
}

/** An empty state for anything that is not one: the conversation begins anew, and nothing is allowed. */
export function parseState(text: string | undefined): SavedState {
  if (text === undefined) return emptyState;
  try {
    const { conversationId, grants } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof conversationId === "string" && { conversationId }),
      grants: parseGrants(grants),
    };
  } catch {
    return emptyState; // a state of something else
  }
}

/** Reads grants from anything that has them; nothing is allowed by what is not a list of strings. */
export function parseGrants(value: unknown): SessionGrants {
  const { allow, additionalDirectories } = Object(value) as Record<string, unknown>;
  return { allow: toStrings(allow), additionalDirectories: toStrings(additionalDirectories) };
}

/** What either allows. */
export function joinGrants(left: SessionGrants, right: SessionGrants): SessionGrants {
  const join = (kind: keyof SessionGrants) => [...new Set([...left[kind], ...right[kind]])];
  return { allow: join("allow"), additionalDirectories: join("additionalDirectories") };
}

/** The grants with what these updates allow. Other kinds of update are the runtime's own affair. */
export function addGrants(
  grants: SessionGrants,
  updates: readonly PermissionUpdate[],
): SessionGrants {
  const allow = new Set(grants.allow);
  const directories = new Set(grants.additionalDirectories);
  for (const update of updates) {
    if (update.type === "addDirectories") {
      for (const directory of update.directories) directories.add(directory);
    } else if (update.type === "addRules" && update.behavior === "allow") {
      for (const { toolName, ruleContent } of update.rules) {
        allow.add(ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`);
      }
    }
  }
  return { allow: [...allow], additionalDirectories: [...directories] };
}

function toStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
