import { isQueued, type SessionEvent } from "@holdpoint/protocol";

import type { EventQuery, Store, StoredInteraction } from "../ports/store.ts";
import { hasEndedCall } from "./replay.ts";
import { toResult, type ToolCallResult } from "./tool-result.ts";

const PAGE = 1000;
/** How many events an entry in the log may be away from its expected position. */
const NEAR = 100;

interface LogReader {
  read(query: EventQuery): ReturnType<Store["readEvents"]>;
}

/** A call as the log shows it. */
export interface FoundCall {
  /** The last interaction that it opened. */
  readonly asked: string;
  /** Whether the call is over, so that a repetition does not continue it. */
  readonly isOver: boolean;
  /** The tool and arguments of the call, if the log still has them. */
  readonly called?: { readonly name: string; readonly args: unknown };
  /** The result for its agent; absent while the call is not over, or if no one has written the result down. */
  readonly result?: ToolCallResult;
}

/** Reads a call from the log. Resolves to `undefined` for a call that asked nothing. Rejects when the store fails. */
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
  const kept = rows.findLast(({ keptResult }) => keptResult !== undefined)?.keptResult;
  const { called, result = kept && toResult(kept) } = await readCall(
    { read: (query) => store.readEvents(sessionId, query) },
    toolCallId,
    rows,
  );
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

/**
 * Reads the log around the call's first question, so that old and new calls cost the same. If the call is not there,
 * for example after a jump of the clock, reads from the end of the log.
 */
async function readCall(
  store: LogReader,
  toolCallId: string,
  rows: readonly StoredInteraction[],
): Promise<Pick<FoundCall, "called" | "result">> {
  const around = await store.read({
    before: (await positionOf(store, rows[0])) + NEAR,
    limit: PAGE,
  });
  const { called, result } = readPage(around, toolCallId);
  if (!called) return readFromEnd(store, toolCallId);
  if (result) return { called, result };
  const afterIts = around.at(-1)?.seq ?? 0;
  return {
    called,
    ...(rows.some(isOver) && (await readResult(store, toolCallId, afterIts, rows))),
  };
}

/** The result of a call that began before this position. */
async function readResult(
  store: LogReader,
  toolCallId: string,
  begun: number,
  rows: readonly StoredInteraction[],
): Promise<Pick<FoundCall, "result">> {
  let after = Math.max(begun, (await positionOf(store, rows.at(-1))) - NEAR);
  for (;;) {
    const events = await store.read({ after, limit: PAGE });
    const { result } = readPage(events, toolCallId);
    if (result || events.length < PAGE) return { ...(result && { result }) };
    after = events.at(-1)?.seq ?? after;
  }
}

async function readFromEnd(
  store: LogReader,
  toolCallId: string,
): Promise<Pick<FoundCall, "called" | "result">> {
  let found: Pick<FoundCall, "called" | "result"> = {};
  for (let before: number | undefined; ;) {
    const events = await store.read({ limit: PAGE, ...(before !== undefined && { before }) });
    found = { ...readPage(events, toolCallId), ...found };
    before = events[0]?.seq;
    // Entries before its beginning do not matter.
    if (found.called || events.length < PAGE || before === undefined) return found;
  }
}

/** The position where the interaction was opened: the first event of that instant or later. */
async function positionOf(
  store: LogReader,
  stored: StoredInteraction | undefined,
): Promise<number> {
  const instant = stored?.interaction.startedAt ?? "";
  let low = 1;
  let high = ((await store.read({ limit: 1 })).at(-1)?.seq ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.read({ after: middle - 1, limit: 1 });
    if (event && (JSON.parse(event.json) as SessionEvent).at < instant) low = middle + 1;
    else high = middle;
  }
  return low;
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
