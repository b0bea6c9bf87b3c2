import type { SessionView, ToolCallItem, ViewItem } from "@holdpoint/client";
import { type Interaction, isParked } from "@holdpoint/protocol";

/** One row of the transcript, in drawing order. */
export interface TranscriptRow {
  readonly key: string;
  readonly item: ViewItem;
  /** 0 for the agent itself, 1 for its sub-agents, and so on. */
  readonly depth: number;
  /** Continues a run of plain tool lines: drawn close to the previous row. */
  readonly joined: boolean;
  /** An earlier call has no result yet, so the agent may not have started this one, nor asked for it. */
  readonly isBehind?: boolean;
  /** For a sub-agent's call: the number of rows below it, and whether they are drawn. */
  readonly steps?: { readonly count: number; readonly open: boolean };
}

interface RowOptions {
  /** The person's choice for a sub-agent's rows; undefined: open while it works. */
  readonly isOpen: (key: string) => boolean | undefined;
}

/**
 * The items of a view as rows. A sub-agent's rows are below the call that started it, although sub-agents that work at
 * the same time interleave in the log. A sub-agent with a pending interaction is always open.
 */
export function toTranscriptRows(
  view: Pick<SessionView, "items" | "interactions">,
  options: RowOptions,
): readonly TranscriptRow[] {
  const isAnyParked = [...view.interactions.values()].some(isParked);
  const items = joinRounds(view).filter((item, index, all) =>
    saysMore(item, all[index - 1], isAnyParked),
  );
  const { top, inside } = groupByCall(withoutQuestionnaireCalls(items, view.interactions));
  const rows: TranscriptRow[] = [];
  const place = (item: ViewItem, depth: number): void => {
    const children = inside.get(item);
    if (!isToolCall(item) || children === undefined) {
      rows.push({ key: item.key, item, depth, joined: false });
      return;
    }
    const open =
      children.some((child) => isWaiting(child, view.interactions)) ||
      (options.isOpen(item.key) ?? item.result === undefined);
    const steps = { count: children.length, open };
    rows.push({ key: item.key, item, depth, joined: false, steps });
    if (open) for (const child of children) place(child, depth + 1);
  };
  for (const { item, orphan } of top) place(item, orphan ? 1 : 0);
  return joinRuns(markBehind(rows), view.interactions);
}

/** Whether the row has a pending interaction. */
function isWaiting(item: ViewItem, interactions: ReadonlyMap<string, Interaction>): boolean {
  return interactionIdsOf(item).some((id) => interactions.get(id)?.status === "pending");
}

/** The interactions of a row, oldest first. */
export function interactionIdsOf(item: ViewItem): readonly string[] {
  switch (item.type) {
    case "tool_call":
      return item.interactionIds;
    case "interaction":
      return [item.interactionId];
    case "user_message":
    case "assistant_message":
    case "mode_ended":
    case "turn_end":
    case "turn_usage":
    case "error":
      return [];
  }
}

/** A reprompt without a tool call replaces the previous round, and keeps its key. */
function joinRounds({
  items,
  interactions,
}: Pick<SessionView, "items" | "interactions">): readonly ViewItem[] {
  const places = new Map<string, number>();
  const joined: (ViewItem | undefined)[] = [...items];
  for (const [index, item] of items.entries()) {
    if (item.type !== "interaction") continue;
    const previousId = interactions.get(item.interactionId)?.previousId;
    const place = (previousId === undefined ? undefined : places.get(previousId)) ?? index;
    const key = items[place]?.key ?? item.key;
    joined[index] = undefined;
    joined[place] = key === item.key ? item : { ...item, key };
    places.set(item.interactionId, place);
  }
  return places.size === 0 ? items : joined.filter((item) => item !== undefined);
}

/** Leaves out the call of a questionnaire, which is shown instead, unless the call failed. */
function withoutQuestionnaireCalls(
  items: readonly ViewItem[],
  interactions: ReadonlyMap<string, Interaction>,
): readonly ViewItem[] {
  const asked = [...interactions.values()].filter((one) => one.presentation === "questionnaire");
  if (asked.length === 0) return items;
  const calls = Map.groupBy(asked, ({ toolCallId }) => toolCallId);
  return items.filter((item) => {
    if (!isToolCall(item) || item.result?.isError || item.interactionIds.length > 0) return true;
    return !calls.get(item.toolCallId)?.some(({ turnId }) => turnId === item.turnId);
  });
}

/**
 * Whether an item is worth a row. The end of a failed turn only repeats the error before it, and the end of a parked
 * turn is shown only while an interaction is parked.
 */
function saysMore(item: ViewItem, before: ViewItem | undefined, isAnyParked: boolean): boolean {
  if (item.type === "turn_end" && item.reason === "parked") return isAnyParked;
  if (item.type !== "turn_end" || item.reason !== "error") return true;
  return before?.type !== "error";
}

/** Marks calls that may not have started: agents may run the calls of a message in turn. A sub-agent with steps has. */
function markBehind(rows: readonly TranscriptRow[]): readonly TranscriptRow[] {
  /** By depth: the turn of the last call without a result. */
  const open: (string | undefined)[] = [];
  return rows.map((row) => {
    const { item, depth, steps } = row;
    open.length = depth + 1;
    if (!isToolCall(item) || item.result !== undefined) return row;
    const isBehind = open[depth] !== undefined && open[depth] === item.turnId;
    open[depth] = item.turnId;
    return isBehind && steps === undefined ? { ...row, isBehind } : row;
  });
}

function joinRuns(
  rows: readonly TranscriptRow[],
  interactions: ReadonlyMap<string, Interaction>,
): readonly TranscriptRow[] {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const joined =
      before !== undefined &&
      isPlainToolLine(row.item, interactions) &&
      isPlainToolLine(before.item, interactions);
    return joined ? { ...row, joined } : row;
  });
}

function isPlainToolLine(item: ViewItem, interactions: ReadonlyMap<string, Interaction>): boolean {
  return item.type === "tool_call" && !item.interactionIds.some((id) => interactions.has(id));
}

interface Grouped {
  /** The top-level items. The call of an orphan is not loaded. */
  readonly top: readonly { readonly item: ViewItem; readonly orphan: boolean }[];
  readonly inside: ReadonlyMap<ViewItem, readonly ViewItem[]>;
}

/** Groups items by the nearest earlier call with their parent's id, since ids of tool calls repeat between turns. */
function groupByCall(items: readonly ViewItem[]): Grouped {
  const top: { item: ViewItem; orphan: boolean }[] = [];
  const inside = new Map<ViewItem, ViewItem[]>();
  const latest = new Map<string, ViewItem>();
  for (const item of items) {
    const parentId = parentOf(item);
    const parent = parentId === undefined ? undefined : latest.get(parentId);
    if (isToolCall(item)) latest.set(item.toolCallId, item);
    if (parent === undefined) top.push({ item, orphan: parentId !== undefined });
    else push(inside, parent, item);
  }
  return { top, inside };
}

function parentOf(item: ViewItem): string | undefined {
  return item.type === "tool_call" || item.type === "assistant_message"
    ? item.parentToolCallId
    : undefined;
}

function isToolCall(item: ViewItem): item is ToolCallItem {
  return item.type === "tool_call";
}

function push(groups: Map<ViewItem, ViewItem[]>, parent: ViewItem, item: ViewItem): void {
  const group = groups.get(parent);
  if (group === undefined) groups.set(parent, [item]);
  else group.push(item);
}
