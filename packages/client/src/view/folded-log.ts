import type { Interaction, LimitedMode } from "@holdpoint/protocol";

import { DraftMap } from "./draft-map.ts";
import { toFurtherKey } from "./item-key.ts";
import { type ItemPages, ItemPagesDraft } from "./item-pages.ts";
import type { SessionView, ViewItem } from "./session-view.ts";

/** The facts about the session that come from its log. */
export interface LogFacts extends Pick<SessionView, "model" | "permissionMode" | "title"> {
  readonly activeModel?: string | undefined;
  readonly limitedMode?: LimitedMode | undefined;
  readonly status: "idle" | "running";
  /** The running turn. */
  readonly turnId: string | undefined;
  /** The turn that ended last. */
  readonly endedTurnId: string | undefined;
}

/** The result of folding the events of a log. Immutable: unchanged parts keep their identity. */
export interface FoldedLog {
  readonly facts: LogFacts;
  /** In the order of the conversation. */
  readonly items: ItemPages;
  readonly interactions: ReadonlyMap<string, Interaction>;
  /** The grants that let tool calls run without asking, by the key of the call. */
  readonly grantUses: ReadonlyMap<string, string>;
  /** Interactions whose tool call has not arrived, by the key of the call, oldest first. They stand alone for now. */
  readonly beforeCall: ReadonlyMap<string, readonly string[]>;
  /** The keys of the newest items for tool call ids that were used again, by the key of the call. */
  readonly usedAgain: ReadonlyMap<string, string>;
  /** The item keys of tool calls that were parked and have no result, by tool call id. */
  readonly parkedCalls: ReadonlyMap<string, string>;
}

/** A changeable folded log. */
export interface LogDraft {
  readonly base: FoldedLog;
  facts: LogFacts;
  readonly items: ItemPagesDraft;
  readonly interactions: DraftMap<string, Interaction>;
  readonly grantUses: DraftMap<string, string>;
  readonly beforeCall: DraftMap<string, readonly string[]>;
  readonly usedAgain: DraftMap<string, string>;
  readonly parkedCalls: DraftMap<string, string>;
}

/** Returns a log without events, but with these known interactions. */
export function createFoldedLog(known: ReadonlyMap<string, Interaction>): FoldedLog {
  return {
    facts: { status: "idle", turnId: undefined, endedTurnId: undefined },
    items: [],
    interactions: known,
    grantUses: new Map(),
    beforeCall: new Map(),
    usedAgain: new Map(),
    parkedCalls: new Map(),
  };
}

export function openDraft(base: FoldedLog): LogDraft {
  return {
    base,
    facts: base.facts,
    items: new ItemPagesDraft(base.items),
    interactions: new DraftMap(base.interactions),
    grantUses: new DraftMap(base.grantUses),
    beforeCall: new DraftMap(base.beforeCall),
    usedAgain: new DraftMap(base.usedAgain),
    parkedCalls: new DraftMap(base.parkedCalls),
  };
}

/** Appends an item, under a new key if its own is taken. Returns the item's key. */
export function appendItem(draft: LogDraft, item: ViewItem, seq: number): string {
  const key = draft.items.has(item.key) ? toFurtherKey(item.key, seq) : item.key;
  draft.items.append(key === item.key ? item : { ...item, key });
  return key;
}

/** Returns the folded log after the changes, or the base if there are none. */
export function closeDraft(draft: LogDraft): FoldedLog {
  const next: FoldedLog = {
    facts: draft.facts,
    items: draft.items.close(),
    interactions: draft.interactions.close(),
    grantUses: draft.grantUses.close(),
    beforeCall: draft.beforeCall.close(),
    usedAgain: draft.usedAgain.close(),
    parkedCalls: draft.parkedCalls.close(),
  };
  const { base } = draft;
  const names = Object.keys(next) as (keyof FoldedLog)[];
  return names.every((name) => next[name] === base[name]) ? base : next;
}
