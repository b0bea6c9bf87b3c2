import type { Interaction, LimitedMode } from "@holdpoint/protocol";

import { DraftMap } from "./draft-map.ts";
import { toFurtherKey } from "./item-key.ts";
import { type ItemPages, ItemPagesDraft } from "./item-pages.ts";
import type { SessionView, ViewItem } from "./session-view.ts";

/** What the log says of the session itself. */
export interface LogFacts extends Pick<SessionView, "model" | "permissionMode" | "title"> {
  readonly activeModel?: string | undefined;
  readonly limitedMode?: LimitedMode | undefined;
  readonly status: "idle" | "running";
  /** The turn that runs. */
  readonly turnId: string | undefined;
  /** The turn that ended last. */
  readonly endedTurnId: string | undefined;
}

/** What the events of a log come to. Immutable: whatever did not change keeps its identity. */
export interface FoldedLog {
  readonly facts: LogFacts;
  /** In the order of the conversation. */
  readonly items: ItemPages;
  readonly interactions: ReadonlyMap<string, Interaction>;
  /** By the key of a tool call: the grant that let it run without asking. */
  readonly grantUses: ReadonlyMap<string, string>;
  /** By the key of a tool call that has not come: the interactions that stand alone until it does, oldest first. */
  readonly beforeCall: ReadonlyMap<string, readonly string[]>;
  /** By the key of a tool call whose id was used again: the key of its newest item. */
  readonly usedAgain: ReadonlyMap<string, string>;
  /** By the id of a tool call that was parked and has no result: the key of its item. */
  readonly parkedCalls: ReadonlyMap<string, string>;
}

/** A folded log under change. */
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

/** A log without events, in which these interactions are known already. */
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

/** Puts an item at the end; under another key when an earlier item has its own. Returns the item's key. */
export function appendItem(draft: LogDraft, item: ViewItem, seq: number): string {
  const key = draft.items.has(item.key) ? toFurtherKey(item.key, seq) : item.key;
  draft.items.append(key === item.key ? item : { ...item, key });
  return key;
}

/** The folded log after the changes; the same one as before when there was none. */
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
  const isSame =
    next.facts === base.facts &&
    next.items === base.items &&
    next.interactions === base.interactions &&
    next.grantUses === base.grantUses;
  return isSame ? base : next;
}
