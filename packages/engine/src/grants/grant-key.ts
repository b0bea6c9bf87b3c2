import { type Responders, rulesOf } from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";

/** The agent and tool whose calls a grant covers. */
export interface GrantHolder {
  readonly agent: string;
  readonly toolName: string;
  /** The family of tools that share their keys; absent for a tool that shares with none. */
  readonly family?: string | undefined;
}

/** The key for exactly these arguments in this directory. Equal for equal JSON values, and for no others. */
export function defaultGrantKey(call: {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}): string {
  return hashOf({ tool: call.toolName, arguments: call.input, directory: call.cwd });
}

/** The hash that finds lasting grants. It differs between agents, and between tools that are not of one family. */
export function grantHashOf({ agent, toolName, family }: GrantHolder, key: string): string {
  return family === undefined
    ? hashOf({ agent, tool: toolName, key })
    : hashOf({ agent, family, key });
}

/**
 * The hash that finds one-time grants. It differs from every `grantHashOf`, and between different rules for who may
 * answer.
 */
export function exactHashOf(
  {
    agent,
    toolName,
    responders,
  }: Omit<GrantHolder, "family"> & { readonly responders?: Responders | undefined },
  digest: string,
): string {
  const rules = responders && { responders: rulesOf(responders) };
  return hashOf({ agent, tool: toolName, digest, ...rules });
}
