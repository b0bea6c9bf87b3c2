import type { SessionEvent } from "@holdpoint/protocol";

import type { AgentEvent, TurnMessage } from "../ports/agent-adapter.ts";
import type { Store } from "../ports/store.ts";
import { loadAttachments } from "../session/attachments.ts";

const PAGE_SIZE = 200;

interface TurnPlace {
  readonly sessionId: string;
  readonly turnId: string;
}

/** The agent's events in this turn from the log, in order. The turn must be the session's last. */
export async function readAgentEvents(store: Store, turn: TurnPlace): Promise<AgentEvent[]> {
  const told: AgentEvent[] = [];
  for await (const event of readBackwards(store, turn.sessionId)) {
    if (event.type === "turn_started" && event.turnId === turn.turnId) break;
    if (isToldByAgent(event)) told.push(event);
  }
  return told.toReversed();
}

/** The message that began this turn, which must be the session's last. `undefined` for a turn without a message. */
export async function readTurnMessage(
  store: Store,
  { sessionId, turnId }: TurnPlace,
): Promise<TurnMessage | undefined> {
  let isBefore = false;
  for await (const event of readBackwards(store, sessionId)) {
    if (isBefore) {
      // The message is right before the beginning of its turn.
      if (event.type !== "user_message" || event.turnId !== turnId) return undefined;
      const { messageId, content, attachments } = event;
      if (!attachments) return { messageId, content };
      const files = await loadAttachments({ store }, sessionId, attachments);
      return { messageId, content, attachments: files };
    }
    isBefore = event.type === "turn_started" && event.turnId === turnId;
  }
  return undefined;
}

async function* readBackwards(store: Store, sessionId: string): AsyncGenerator<SessionEvent> {
  for (let before: number | undefined; before === undefined || before > 1;) {
    const page = await store.readEvents(sessionId, {
      limit: PAGE_SIZE,
      ...(before !== undefined && { before }),
    });
    for (const { json } of page.toReversed()) yield JSON.parse(json) as SessionEvent;
    before = page[0]?.seq ?? 0;
  }
}

function isToldByAgent(event: SessionEvent): event is SessionEvent & AgentEvent {
  return ["assistant_message", "tool_call", "tool_result"].includes(event.type);
}
