import type { Interaction } from "@holdpoint/protocol";

import { ItemIndex } from "./item-index.ts";
import { toFurtherKey } from "./item-key.ts";
import { NO_LOOSE_ENDS } from "./loose-ends.ts";
import type { LooseEnds } from "./loose-ends.ts";
import type { SessionView, ToolCallItem, ViewItem } from "./session-view.ts";
import type { Stream } from "./streams.ts";

/** What a view says beside its lists. */
type ViewFacts = Omit<SessionView, "items" | "interactions">;
/** New facts; `undefined` takes one away. */
type FactChanges = { [K in keyof ViewFacts]?: ViewFacts[K] | undefined };

/** What folding on needs to know and no interface draws. */
interface Memory {
  readonly streams: readonly Stream[];
  readonly loose: LooseEnds;
  /** A turn began or ended within what was folded. */
  readonly turnSeen: boolean;
  /** The status was told, not assumed. */
  readonly statusKnown: boolean;
  /** The turn that ended last: what still grows in it never will be whole. */
  readonly endedTurnId: string | undefined;
}

const FRESH: Memory = {
  streams: [],
  loose: NO_LOOSE_ENDS,
  turnSeen: false,
  statusKnown: false,
  endedTurnId: undefined,
};

const memories = new WeakMap<SessionView, Memory>();
/** Each index serves the newest view of its chain; an older one gets its own again. */
const indexes = new WeakMap<SessionView, ItemIndex>();

/**
 * A view under change: lists are copied when first written, and `close` gives the next view. The view that it began
 * with stays as it was, but gives away its index.
 */
export class SessionViewDraft {
  readonly index: ItemIndex;
  readonly #base: SessionView;
  #memory: Memory;
  readonly #facts: ViewFacts;
  #durable: ViewItem[] | undefined;
  #interactions: Map<string, Interaction> | undefined;
  #changed = false;

  constructor(base: SessionView) {
    const { items, interactions, ...facts } = base;
    this.#base = base;
    this.#facts = facts;
    this.#memory = memories.get(base) ?? FRESH;
    this.index = indexes.get(base) ?? ItemIndex.of(this.#copyDurable(items), interactions);
    indexes.delete(base);
  }

  get facts(): ViewFacts {
    return this.#facts;
  }

  get memory(): Memory {
    return this.#memory;
  }

  get interactions(): ReadonlyMap<string, Interaction> {
    return this.#interactions ?? this.#base.interactions;
  }

  /** The items that are in the log, without what still grows. */
  get durable(): readonly ViewItem[] {
    return this.#ownDurable();
  }

  setFacts(facts: FactChanges): void {
    Object.assign(this.#facts, facts);
    this.#changed = true;
  }

  remember(memory: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...memory };
    this.#changed = true;
  }

  setInteraction(interaction: Interaction): void {
    this.#interactions ??= new Map(this.#base.interactions);
    this.#interactions.set(interaction.interactionId, interaction);
    this.#changed = true;
  }

  /** Puts a durable item at the end; under another key when an earlier item has its own. */
  append(item: ViewItem, seq: number): void {
    const placed = this.index.has(item.key) ? { ...item, key: toFurtherKey(item.key, seq) } : item;
    this.#ownDurable().push(placed);
    this.index.append(placed);
    this.#changed = true;
  }

  /** False when the call is not loaded. */
  changeCall(
    { turnId, toolCallId }: Pick<ToolCallItem, "toolCallId"> & { turnId?: string | undefined },
    change: (call: ToolCallItem) => ToolCallItem,
  ): boolean {
    const position = this.index.findCall(turnId, toolCallId);
    const call = position === undefined ? undefined : this.#ownDurable()[position];
    if (position === undefined || call?.type !== "tool_call") return false;
    this.#ownDurable()[position] = change(call);
    this.#changed = true;
    return true;
  }

  remove(key: string): void {
    const position = this.index.find(key);
    if (position === undefined) return;
    const durable = this.#ownDurable();
    durable.splice(position, 1);
    this.index.remove(key, position, durable);
    this.#changed = true;
  }

  /** Puts the items of an earlier part of the log before all others. */
  prepend(items: readonly ViewItem[]): void {
    this.#durable = [...items, ...this.#ownDurable()];
    this.index.prepend(items);
    this.#changed = true;
  }

  /** The next view; the same one when nothing has changed. */
  close(): SessionView {
    const view = this.#changed ? this.#build() : this.#base;
    indexes.set(view, this.index);
    return view;
  }

  #ownDurable(): ViewItem[] {
    return (this.#durable ??= this.#copyDurable(this.#base.items));
  }

  #copyDurable(items: readonly ViewItem[]): ViewItem[] {
    const streamCount = memories.get(this.#base)?.streams.length ?? 0;
    return items.slice(0, items.length - streamCount);
  }

  #build(): SessionView {
    const { streams } = this.#memory;
    const hasSameItems = !this.#durable && streams === memories.get(this.#base)?.streams;
    const items = hasSameItems
      ? this.#base.items
      : [...this.#ownDurable(), ...streams.map(({ item }) => item)];
    const view = withoutUndefined({ ...this.#facts, items, interactions: this.interactions });
    memories.set(view, this.#memory);
    return view;
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, fact]) => fact !== undefined)) as T;
}
