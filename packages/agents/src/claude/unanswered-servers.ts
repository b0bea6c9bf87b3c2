import type { TurnContext } from "@holdpoint/engine";

import { toName } from "./elicitation.ts";

/** How many servers are named in the session. Further ones are counted together. */
const MAX_NAMED = 8;

/**
 * MCP servers that asked while no turn ran. No one can be asked then, and the session cannot record the request, since
 * every event belongs to a turn. The servers are recorded when the next turn begins.
 */
export class UnansweredServers {
  #counts = new Map<string, number>();

  note(serverName: string): void {
    const name = toName(serverName);
    const isKnown = this.#counts.has(name) || this.#counts.size < MAX_NAMED;
    const counted = isKnown ? name : "Other servers";
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
  }

  /** Logs one line for each server, once. Never rejects: without a log the turn ends for that reason. */
  async tell(context: Pick<TurnContext, "emit">): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [name, count] of counts) {
      const message =
        count === 1
          ? `${name}: It asked while the agent had no turn, so no one could be asked. The gateway replied that no one has decided.`
          : `${name}: It asked ${count} times while the agent had no turn, so no one could be asked. The gateway replied that no one has decided.`;
      await context
        .emit({ type: "error", code: "SERVER_REQUEST_DECLINED", message })
        .catch(() => undefined);
    }
  }
}
