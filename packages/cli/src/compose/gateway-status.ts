import type { Gateway } from "@holdpoint/engine";

import type { GatewayStatus } from "../control/control-message.ts";
import { VERSION } from "../version.ts";
import type { Parts } from "./compose-parts.ts";
import type { OwnFolder } from "./open-folder.ts";

/** Reads this gateway's status for the command line. */
export function statusReader(
  { clock, box, nodes, own }: Pick<Parts, "box" | "clock" | "nodes" | "own">,
  gateway: Gateway,
  url: string,
): () => Promise<GatewayStatus> {
  const caller = { principal: "person", person: "owner", client: "cli" } as const;
  const startedAtMs = clock.now();
  const startedAt = clock.monotonic();
  return async () => {
    const { items } = await gateway.listAgents(caller);
    return {
      version: VERSION,
      pid: process.pid,
      url,
      ...(nodes && { node: { role: "working" } as const }),
      startedAtMs,
      runningMs: clock.monotonic() - startedAt,
      agents: items.map(({ label, available, unavailableReason }) => ({
        label,
        available,
        ...(unavailableReason !== undefined && { unavailableReason }),
      })),
      tools: [...(box?.summaries ?? [])],
      ...(own && (await folderStatus(own))),
    };
  };
}

async function folderStatus({
  trusted,
  notice,
}: OwnFolder): Promise<Pick<GatewayStatus, "folder">> {
  const { path, offer, problem = offer?.problem } = await trusted.read();
  if (offer === undefined && problem === undefined) return {};
  const changed = offer?.files.filter(({ change }) => change !== "same") ?? [];
  const waiting = changed.length + (offer?.removed.length ?? 0);
  const { isAsking: inTerminal } = notice;
  return { folder: { path, waiting, inTerminal, ...(problem !== undefined && { problem }) } };
}
