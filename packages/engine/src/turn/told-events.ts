import type { SessionEvent } from "@holdpoint/protocol";

import type { AgentEvent } from "../ports/agent-adapter.ts";
import type { Store } from "../ports/store.ts";

const PAGE_SIZE = 200;

/** What the log has of what the agent did in this turn, which is the session's last, in order. */
export async function readTold(
  store: Store,
  { sessionId, turnId }: { readonly sessionId: string; readonly turnId: string },
): Promise<AgentEvent[]> {
  const told: AgentEvent[] = [];
  for (let before: number | undefined; before === undefined || before > 1;) {
    const page = await store.readEvents(sessionId, {
      limit: PAGE_SIZE,
      ...(before !== undefined && { before }),
    });
    for (const { json } of page.toReversed()) {
      const event = JSON.parse(json) as SessionEvent;
      if (event.type === "turn_started" && event.turnId === turnId) return told.toReversed();
      if (isToldByAgent(event)) told.push(event);
    }
    before = page[0]?.seq ?? 0;
  }
  return told.toReversed();
}

function isToldByAgent(event: SessionEvent): event is SessionEvent & AgentEvent {
  return ["assistant_message", "tool_call", "tool_result"].includes(event.type);
}
