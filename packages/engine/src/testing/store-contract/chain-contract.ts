import { expect, test } from "vitest";

import { expectChained } from "../expect-chained.ts";
import { creation, interactionRow, messageEvent } from "./store-fixtures.ts";
import { type Open, SESSION } from "./store-suite.ts";

/** The hash chain of events. */
export function describeChain(open: Open): void {
  test("[R-17] each event has the hash of its text, its place and the previous hash, even if batches share a commit or conflict", async () => {
    const sessionIds = ["ses_1", "ses_2", "ses_3"];
    const row = interactionRow("ses_1", "int_1");
    await using store = await open(...sessionIds.map((id) => creation(id)), {
      sessionId: "ses_1",
      interactions: [{ row, expectedStatus: undefined }],
    });
    const results = await Promise.all(
      Array.from({ length: 90 }, (_, index) => {
        const sessionId = sessionIds[index % 3]!;
        const events = Array.from({ length: (index % 4) + 1 }, (_, part) =>
          messageEvent(`${index}.${part}`),
        );
        const isConflict = sessionId === "ses_1" && index % 2 === 0;
        const interactions = isConflict ? [{ row, expectedStatus: undefined }] : [];
        return store.append({ sessionId, events, interactions });
      }),
    );
    const conflicts = results.filter(({ status }) => status === "conflict");
    expect(conflicts).toHaveLength(15);
    const lengths = await Promise.all(sessionIds.map((id) => expectChained(store, id)));
    expect(lengths.every((length) => length > 20)).toBe(true);
  });

  test("any text and any session id is hashed as it is stored", async () => {
    const texts = ["\0", "\ud800 alone", "a\nb", "\u2028 Straße \u{1f600}", "x".repeat(20_000)];
    const sessionIds = ["ses", "ses\n1", "nul\0", "half\ud800", "\uffff", "Straße \u0001 \u0002"];
    await using store = await open(...sessionIds.map((id) => creation(id)));
    const hashes = new Set<string>();
    for (const sessionId of sessionIds) {
      await store.append({ sessionId, events: texts.map(messageEvent) });
      expect(await expectChained(store, sessionId)).toBe(texts.length);
      for (const { hash } of await store.readChain(sessionId, { after: 0, limit: 9 })) {
        hashes.add(hash);
      }
    }
    // The same events in another session have other hashes.
    expect(hashes.size).toBe(texts.length * sessionIds.length);
  });

  test("a session that is deleted and created again begins a new chain", async () => {
    await using store = await open(creation(SESSION), creation("ses_beside"));
    await store.append({ sessionId: SESSION, events: ["a", "b"].map(messageEvent) });
    await store.deleteSession(SESSION);
    await store.append(creation(SESSION));
    await store.append({ sessionId: SESSION, events: [messageEvent("c")] });
    expect(await expectChained(store, SESSION)).toBe(1);
  });

  test.each([
    [{ after: 0, limit: 2 }, [1, 2]],
    [{ after: 2, limit: 5 }, [3, 4]],
    [{ after: 4, limit: 5 }, []],
    [{ after: -1, limit: 1 }, [1]],
    [{ after: 1, limit: 0 }, []],
    [{ after: 1e300, limit: 1 }, []],
  ])("a page of the chain %j has seq %j", async (query, expected) => {
    const events = ["a", "b", "c", "d"].map(messageEvent);
    await using store = await open(creation(SESSION), { sessionId: SESSION, events });
    const page = await store.readChain(SESSION, query);
    expect(page.map(({ seq }) => seq)).toEqual(expected);
    const texts = await store.readEvents(SESSION, { after: 0, limit: 9 });
    expect(page.map(({ json }) => json)).toEqual(expected.map((seq) => texts[seq - 1]!.json));
    expect(await store.readChain("ses_unknown", query)).toEqual([]);
  });
}
