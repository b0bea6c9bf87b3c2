import type { Interaction } from "@holdpoint/protocol";

import type { ViewItem } from "./session-view.ts";

type TurnId = string | undefined;

/**
 * Where the items of a view are. Positions count from an origin that moves when items come in front, so that
 * neither appending nor prepending touches what is there. A tool call's id means something only within its turn:
 * calls are found by turn, then by id.
 */
export class ItemIndex {
  #origin = 0;
  #length = 0;
  readonly #positions = new Map<string, number>();
  readonly #calls = new Map<TurnId, Map<string, number>>();
  readonly #alone = new Map<TurnId, Map<string, readonly string[]>>();

  /** The index of these items, which stand in the order of the conversation. */
  static of(items: readonly ViewItem[], interactions: ReadonlyMap<string, Interaction>): ItemIndex {
    const index = new ItemIndex();
    for (const item of items) {
      index.append(item);
      const interaction = item.type === "interaction" && interactions.get(item.interactionId);
      if (interaction) index.addAlone(interaction);
    }
    return index;
  }

  append(item: ViewItem): void {
    this.#place(item, this.#origin + this.#length);
    this.#length += 1;
  }

  /** Takes up items that come before all others; a call that is known already keeps its later place. */
  prepend(items: readonly ViewItem[]): void {
    this.#origin -= items.length;
    this.#length += items.length;
    for (const [offset, item] of items.entries()) {
      const isLaterAgain =
        item.type === "tool_call" && this.findCall(item.turnId, item.toolCallId) !== undefined;
      if (isLaterAgain) this.#positions.set(item.key, this.#origin + offset);
      else this.#place(item, this.#origin + offset);
    }
  }

  /** To be called with the items that are left after the one at `position` was taken out. */
  remove(key: string, position: number, left: readonly ViewItem[]): void {
    this.#positions.delete(key);
    this.#length -= 1;
    for (let following = position; following < left.length; following += 1) {
      const item = left[following];
      if (item) this.#place(item, this.#origin + following);
    }
  }

  has(key: string): boolean {
    return this.#positions.has(key);
  }

  find(key: string): number | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : position - this.#origin;
  }

  findCall(turnId: TurnId, toolCallId: string): number | undefined {
    const position = this.#calls.get(turnId)?.get(toolCallId);
    return position === undefined ? undefined : position - this.#origin;
  }

  /** Notes that an interaction stands alone until its tool call comes. */
  addAlone({ interactionId, turnId, toolCallId, presentation }: Interaction): void {
    if (presentation === "questionnaire") return;
    const ids = this.#alone.get(turnId)?.get(toolCallId) ?? [];
    inner(this.#alone, turnId).set(toolCallId, [...ids, interactionId]);
  }

  /** Notes interactions of an earlier part of the log that stand alone until this call comes. */
  putAloneFirst(
    { turnId, toolCallId }: { readonly turnId: TurnId; readonly toolCallId: string },
    interactionIds: readonly string[],
  ): void {
    const later = this.#alone.get(turnId)?.get(toolCallId) ?? [];
    inner(this.#alone, turnId).set(toolCallId, [...interactionIds, ...later]);
  }

  /** The interactions that waited for this call, oldest first; they are alone no longer. */
  takeAlone(turnId: TurnId, toolCallId: string): readonly string[] {
    const ids = this.#alone.get(turnId)?.get(toolCallId) ?? [];
    this.#alone.get(turnId)?.delete(toolCallId);
    return ids;
  }

  /** Every tool call that interactions wait for. */
  awaitedCalls(): readonly { readonly turnId: TurnId; readonly toolCallId: string }[] {
    return [...this.#alone].flatMap(([turnId, calls]) =>
      [...calls.keys()].map((toolCallId) => ({ turnId, toolCallId })),
    );
  }

  #place(item: ViewItem, position: number): void {
    this.#positions.set(item.key, position);
    if (item.type === "tool_call") {
      inner(this.#calls, item.turnId).set(item.toolCallId, position);
    }
  }
}

function inner<TValue>(
  outer: Map<TurnId, Map<string, TValue>>,
  turnId: TurnId,
): Map<string, TValue> {
  let map = outer.get(turnId);
  if (!map) outer.set(turnId, (map = new Map()));
  return map;
}
