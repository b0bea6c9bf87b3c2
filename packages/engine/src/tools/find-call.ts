import { isQueued, type SessionEvent } from "@holdpoint/protocol";

import type { EventQuery, Store, StoredInteraction } from "../ports/store.ts";
import { hasEndedCall } from "./replay.ts";
import { toResult, type ToolCallResult } from "./tool-result.ts";

const PAGE = 1000;
/** So many events may lie between what is looked for and where it should be. */
const NEAR = 100;

interface LogReader {
  read(query: EventQuery): ReturnType<Store["readEvents"]>;
}

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
 * From its first question on, so that an old call costs no more than a new one. Where that does not lead to it, as after a jump of
 * the clock, from the end of the log.
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

/** The result of a call whose beginning stands before that position. */
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
    // What stands before its beginning is of no interest.
    if (found.called || events.length < PAGE || before === undefined) return found;
  }
}

/** Where the interaction was asked: the position of the first event of that instant or later. */
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
