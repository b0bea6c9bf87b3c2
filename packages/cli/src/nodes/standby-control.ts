import type { Clock } from "@holdpoint/engine";

import { openControl } from "../control/open-control.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";

export interface StandbyControlOptions {
  readonly dataDir: string;
  readonly url: string;
  readonly clock: Clock;
  /** The working node's address, if a node works. */
  readonly working: () => string | undefined;
}

/** The command line's access to a standby node, which only reports the working node. All other requests are refused. */
export function openStandbyControl(options: StandbyControlOptions): Promise<AsyncDisposable> {
  const { dataDir, url, clock, working } = options;
  const startedAtMs = clock.now();
  const startedAt = clock.monotonic();
  const refuse = (): never => {
    const at = working();
    throw new UsageError(
      at === undefined
        ? "this is a standby node, and no node is working at the moment. Try again in a few seconds."
        : `this is a standby node. Run the command on the machine of the working node, ${at}.`,
    );
  };
  return openControl({
    dataDir,
    url,
    issueAgentToken: async () => refuse(),
    showLink: refuse,
    showPairing: refuse,
    prune: async () => refuse(),
    async readStatus() {
      const at = working();
      return {
        version: VERSION,
        pid: process.pid,
        url,
        node: { role: "standby", ...(at !== undefined && { working: at }) },
        startedAtMs,
        runningMs: clock.monotonic() - startedAt,
        agents: [],
        tools: [],
      };
    },
  });
}
