import type { Store } from "@holdpoint/engine";
import { expectChained } from "@holdpoint/engine/testing";
import { expect } from "vitest";

export const SESSIONS = ["ses_a", "ses_b", "ses_c"];

/**
 * Expects every acknowledged batch, complete and written once, and logs without gaps. Returns the names of the
 * existing batches.
 */
export async function expectWhole(
  store: Store,
  acknowledged: readonly string[],
): Promise<ReadonlySet<string>> {
  const lines = new Set<string>();
  const names = new Set<string>();
  for (const sessionId of SESSIONS) {
    const events = await store.readEvents(sessionId, { after: 0, limit: 1_000_000 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await expectChained(store, sessionId)).toBe(events.length);
    const ids = events.map(({ json }) => (JSON.parse(json) as { messageId: string }).messageId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, id] of ids.entries()) {
      const name = id.slice(0, -1);
      if (id.endsWith("a")) expect(ids[index + 1]).toBe(`${name}b`);
      else {
        lines.add(`${sessionId} ${index + 1} ${name}`);
        names.add(name);
      }
    }
    const session = await store.getSession(sessionId);
    expect(session?.lastSeq ?? 0).toBe(events.length);
    expect(session?.title).toBe(ids.at(-1)?.slice(0, -1));
  }
  expect(acknowledged.filter((line) => !lines.has(line))).toEqual([]);
  return names;
}
