import type { Clock, Gateway } from "@holdpoint/engine";
import type { NodePlace } from "@holdpoint/server";

import type { GatewayStatus } from "../control/control-message.ts";
import type { ToolBox } from "../tools/tool-box.ts";
import { VERSION } from "../version.ts";

/** Reads this gateway's status for the command line. */
export function statusReader(
  { clock, box, nodes }: { clock: Clock; box: ToolBox | undefined; nodes?: NodePlace },
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
    };
  };
}
