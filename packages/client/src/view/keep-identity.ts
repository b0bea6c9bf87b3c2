import type { FoldedLog } from "./folded-log.ts";
import { type ItemPages, toItems } from "./item-pages.ts";
import type { ViewItem } from "./session-view.ts";

/** Returns the later fold, but reuses equal values of the earlier one, so that unchanged parts keep their identity. */
export function keepIdentity(before: FoldedLog, after: FoldedLog): FoldedLog {
  return {
    ...after,
    items: keepItems(before.items, after.items),
    interactions: keepValues(before.interactions, after.interactions),
    grantUses: keepValues(before.grantUses, after.grantUses),
  };
}

/** Looks up items regardless of their page, because the page boundaries may have moved. */
function keepItems(before: ItemPages, after: ItemPages): ItemPages {
  const known = new Map<string, ViewItem>(toItems(before).map((item) => [item.key, item]));
  return after.map((page) => keepValues(known, page));
}

function keepValues<TValue>(
  before: ReadonlyMap<string, TValue>,
  after: ReadonlyMap<string, TValue>,
): ReadonlyMap<string, TValue> {
  let kept = 0;
  const values = new Map<string, TValue>();
  for (const [key, value] of after) {
    const known = before.get(key);
    const isKept = known !== undefined && isEqual(known, value);
    values.set(key, isKept ? known : value);
    if (isKept) kept += 1;
  }
  return kept === before.size && kept === after.size ? before : values;
}

/** Whether two JSON values are equal. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => isEqual(value, (other as Record<string, unknown>)[key]))
  );
}
