import { type Caller, hasRole, refusal, saying } from "@holdpoint/protocol";

import { describeAgent } from "./sessions.ts";

/**
 * Rejects with `FORBIDDEN` unless the caller may choose the mode. A mode that lets an agent do everything decides all
 * later requests, so it needs an owner.
 */
export async function assertMayChooseMode(
  parts: Parameters<typeof describeAgent>[0],
  { role = "owner" }: Pick<Caller, "role">,
  { agent, mode }: { readonly agent: string; readonly mode: string | undefined },
): Promise<void> {
  if (mode === undefined || hasRole(role, "owner")) return;
  const { permissionModes } = await describeAgent(parts, agent);
  if (permissionModes.find((info) => info.mode === mode)?.endsInto === undefined) return;
  throw refusal("FORBIDDEN", saying("mode_is_owners"));
}
