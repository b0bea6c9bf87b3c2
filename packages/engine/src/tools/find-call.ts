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
  /** What was called, where the log still has it. */
  readonly called?: { readonly name: string; readonly args: unknown };
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
  const { called, result } = await readCall(store, sessionId, toolCallId);
  if (!rows.some(isOver)) return { asked, isOver: false, ...(called && { called }) };
  return { asked, isOver: true, ...(called && { called }), ...(result && { result }) };
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
async function readCall(
  store: Pick<Store, "readEvents">,
  sessionId: string,
  toolCallId: string,
): Promise<Pick<FoundCall, "called" | "result">> {
  let found: Pick<FoundCall, "called" | "result"> = {};
  for (let before: number | undefined; ;) {
    const query = { limit: PAGE, ...(before !== undefined && { before }) };
    const events = await store.readEvents(sessionId, query);
    found = { ...readPage(events, toolCallId), ...found };
    before = events[0]?.seq;
    // What stands before its beginning is of no interest.
    if (found.called || events.length < PAGE || before === undefined) return found;
  }
}

function readPage(
  events: readonly { readonly json: string }[],
  toolCallId: string,
): Pick<FoundCall, "called" | "result"> {
  const own = events
    .map(({ json }) => JSON.parse(json) as SessionEvent)
    .filter((event) => "toolCallId" in event && event.toolCallId === toolCallId);
  const called = own.findLast((event) => event.type === "tool_call");
  const result = own.findLast((event) => event.type === "tool_result");
  return {
    ...(called && { called: { name: called.toolName, args: called.input } }),
    ...(result && (!called || result.seq > called.seq) && { result: toResult(result) }),
  };
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
