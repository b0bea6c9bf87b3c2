import { hashOf } from "../lib/digest.ts";

/** Whose calls a grant covers. */
export interface GrantHolder {
  readonly agent: string;
  readonly toolName: string;
  /** Of the tools that share their keys; absent: of this one alone. */
  readonly family?: string | undefined;
}

/**
 * The key that covers one input and nothing else: exactly these arguments in this directory. Equal for equal JSON values,
 * never for others, whatever they hold.
 */
export function defaultGrantKey(call: {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}): string {
  return hashOf({ tool: call.toolName, arguments: call.input, directory: call.cwd });
}

/** What lasting grants are found by: keys of different agents, and of tools that are not of one family, never meet. */
export function grantHashOf({ agent, toolName, family }: GrantHolder, key: string): string {
  return family === undefined
    ? hashOf({ agent, tool: toolName, key })
    : hashOf({ agent, family, key });
}

/** What one-time grants are found by: never what a tool's own key could come to. */
export function exactHashOf(
  { agent, toolName }: Omit<GrantHolder, "family">,
  digest: string,
): string {
  return hashOf({ agent, tool: toolName, digest });
}
