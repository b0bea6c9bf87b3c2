import { hashOf } from "../digest.ts";

/** Whose calls a grant covers. */
export interface GrantHolder {
  readonly agent: string;
  readonly toolName: string;
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

/** What lasting grants are found by: keys of different tools or agents never meet. */
export function grantHashOf({ agent, toolName }: GrantHolder, key: string): string {
  return hashOf({ agent, tool: toolName, key });
}

/** What one-time grants are found by: never what a tool's own key could come to. */
export function exactHashOf({ agent, toolName }: GrantHolder, digest: string): string {
  return hashOf({ agent, tool: toolName, digest });
}
