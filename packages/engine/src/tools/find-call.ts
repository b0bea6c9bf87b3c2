import { isQueued, type SessionEvent } from "@holdpoint/protocol";

import type { Store, StoredInteraction } from "../ports/store.ts";
import { hasEndedCall } from "./replay.ts";
import type { ToolCallResult } from "./tool-result.ts";

const PAGE = 1000;

/** What the log knows of a call. */
export interface FoundCall {
  /** The interaction that it asked last. */
  readonly asked: string;
  /** It does not go on when it comes again. */
  readonly isOver: boolean;
  /** What its agent gets of it; absent while it is not over, or when nobody has written it down. */
  readonly result?: ToolCallResult;
}

/** Reads a call from the log. Rejects when the store fails. */
export async function findCall(
  store: Pick<Store, "listToolCallInteractions" | "readEvents">,
  sessionId: string,
  toolCallId: string,
): Promise<FoundCall | undefined> {
  const rows = (await store.listToolCallInteractions(sessionId, toolCallId)).filter(
    ({ call }) => call !== undefined,
  );
  const newest = rows.at(-1);
  if (!newest) return undefined;
  const asked = newest.interaction.interactionId;
  if (!rows.some(isOver)) return { asked, isOver: false };
  const result = await findResult(store, sessionId, toolCallId);
  return { asked, isOver: true, ...(result && { result }) };
}

function isOver(stored: StoredInteraction): boolean {
  const { interaction, call } = stored;
  return (
    call?.finished === true ||
    hasEndedCall(stored) ||
    interaction.status === "orphaned" ||
    isQueued(interaction)
  );
}

/** From the end of the log: most calls have just ended. */
async function findResult(
  store: Pick<Store, "readEvents">,
  sessionId: string,
  toolCallId: string,
): Promise<ToolCallResult | undefined> {
  for (let before: number | undefined; ;) {
    const events = await store.readEvents(sessionId, {
      limit: PAGE,
      ...(before !== undefined && { before }),
    });
    for (const { json } of events.toReversed()) {
      const event = JSON.parse(json) as SessionEvent;
      if (!("toolCallId" in event) || event.toolCallId !== toolCallId) continue;
      if (event.type === "tool_result") return toResult(event);
      // It began here, and has no result.
      if (event.type === "tool_call") return undefined;
    }
    before = events[0]?.seq;
    if (events.length < PAGE || before === undefined) return undefined;
  }
}

function toResult({ content, isError }: { content: string; isError: boolean }): ToolCallResult {
  const value = parse(content);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    content,
    isError,
    ...(isObject && { structured: value as Record<string, unknown> }),
  };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
