import type { SessionView, ViewItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";

type Searched = Pick<SessionView, "items" | "interactions">;

/** The texts of items that were already searched. A changed item is a new object. */
const known = new WeakMap<ViewItem, string>();

/** The keys of the items that contain the text, in the order of the conversation. Empty for an empty text. */
export function findItems(view: Searched, text: string): string[] {
  const wanted = toComparable(text.trim());
  if (wanted === "") return [];
  return view.items.filter((item) => textOf(item, view).includes(wanted)).map(({ key }) => key);
}

/** The calls that started the sub-agents around an item, innermost first. */
export function callsAround({ items }: Pick<SessionView, "items">, key: string): string[] {
  const index = items.findIndex((item) => item.key === key);
  const item = items[index];
  const parentId = item && "parentToolCallId" in item ? item.parentToolCallId : undefined;
  if (parentId === undefined) return [];
  const parent = items
    .slice(0, index)
    .findLast((other) => other.type === "tool_call" && other.toolCallId === parentId);
  return parent === undefined ? [] : [parent.key, ...callsAround({ items }, parent.key)];
}

function textOf(item: ViewItem, { interactions }: Searched): string {
  // An item's interactions change without the item, so their text is not cached.
  const asked = interactionsOf(item, interactions).flatMap(textsOfInteraction);
  const own = known.get(item) ?? toComparable(textsOf(item).join("\n"));
  known.set(item, own);
  return asked.length === 0 ? own : `${own}\n${toComparable(asked.join("\n"))}`;
}

function textsOf(item: ViewItem): string[] {
  switch (item.type) {
    case "user_message":
      return [item.content, ...(item.attachments ?? []).map(({ name }) => name)];
    case "assistant_message":
      return [item.text];
    case "tool_call":
      return [item.toolName, ...leavesOf(item.input), item.result?.content ?? ""];
    case "error":
      return [item.message];
    case "interaction":
    case "mode_ended":
    case "turn_end":
    case "turn_usage":
      return [];
  }
}

function interactionsOf(
  item: ViewItem,
  interactions: ReadonlyMap<string, Interaction>,
): Interaction[] {
  const ids =
    item.type === "tool_call"
      ? item.interactionIds
      : item.type === "interaction"
        ? [item.interactionId]
        : [];
  return ids.flatMap((id) => interactions.get(id) ?? []);
}

function textsOfInteraction(interaction: Interaction): string[] {
  const { prompt = "", toolName, approval, questions = [], response } = interaction;
  return [
    prompt,
    toolName,
    ...leavesOf(approval?.input),
    ...questions.flatMap(({ question, options }) => [
      question,
      ...options.map(({ label }) => label),
    ]),
    ...leavesOf(response),
  ];
}

/** The texts in a value, except those nested very deeply. */
function leavesOf(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 16) return [];
  return Object.values(value).flatMap((part) => leavesOf(part, depth + 1));
}

function toComparable(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
