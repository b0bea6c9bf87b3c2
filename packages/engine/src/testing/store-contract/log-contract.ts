import { expect, test } from "vitest";

import { creation, instant, messageEvent } from "./store-fixtures.ts";
import { type Open, SESSION, contentsOf } from "./store-suite.ts";

/** Positions of events in the log, and reading it. */
export function describeLog(open: Open): void {
  test("[R-7] events get their seq from 1 without gaps, in the order of the batch", async () => {
    await using store = await open(creation(SESSION));
    const events = ["a", "b"].map(messageEvent);
    const first = await store.append({ sessionId: SESSION, events });
    const second = await store.append({ sessionId: SESSION, events: [messageEvent("c")] });
    expect(first).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }], lastSeq: 2 });
    expect(second).toMatchObject({ events: [{ seq: 3 }], lastSeq: 3 });
    expect(await contentsOf(store, SESSION)).toEqual(["a", "b", "c"]);
  });

  test("a stored event begins with seq, then at, and is read as the text that append returned", async () => {
    await using store = await open(creation(SESSION));
    const result = await store.append({
      sessionId: SESSION,
      events: [{ type: "turn_started", turnId: "trn_1", at: instant(5) }],
    });
    const json = `{"seq":1,"at":"${instant(5)}","type":"turn_started","turnId":"trn_1"}`;
    expect(result).toEqual({ status: "appended", events: [{ seq: 1, json }], lastSeq: 1 });
    expect(await store.readEvents(SESSION, { limit: 10 })).toEqual([{ seq: 1, json }]);
  });

  test("[R-17] 200 concurrent appends over several sessions keep the order of their calls", async () => {
    const sessionIds = Array.from({ length: 7 }, (_, index) => `ses_${index}`);
    await using store = await open(...sessionIds.map((id) => creation(id)));
    const calls = Array.from({ length: 200 }, (_, index) => ({
      sessionId: sessionIds[(index * 3) % sessionIds.length]!,
      events: Array.from({ length: (index % 3) + 1 }, (_, part) =>
        messageEvent(`${index}.${part}`),
      ),
    }));
    const results = await Promise.all(calls.map((batch) => store.append(batch)));
    for (const sessionId of sessionIds) {
      const own = calls.flatMap((call, index) => (call.sessionId === sessionId ? [index] : []));
      const seqs = own.flatMap((index) => {
        const result = results[index]!;
        return result.status === "appended" ? result.events.map(({ seq }) => seq) : [0];
      });
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(await contentsOf(store, sessionId)).toEqual(
        own.flatMap((index) => calls[index]!.events.map((_, part) => `${index}.${part}`)),
      );
    }
  });

  test("reads see an append as soon as it has resolved", async () => {
    await using store = await open(creation(SESSION));
    for (let seq = 1; seq <= 20; seq += 1) {
      await store.append({ sessionId: SESSION, events: [messageEvent(`${seq}`)] });
      expect(await store.readEvents(SESSION, { limit: 1 })).toMatchObject([{ seq }]);
      expect(await store.getSession(SESSION)).toMatchObject({ lastSeq: seq });
    }
  });

  test.each([
    [{ after: 0, limit: 3 }, [1, 2, 3]],
    [{ after: 3, limit: 3 }, [4, 5, 6]],
    [{ after: 8, limit: 3 }, [9]],
    [{ after: 9, limit: 3 }, []],
    [{ after: 1e300, limit: 3 }, []],
    [{ after: -1, limit: 2 }, [1, 2]],
    [{ limit: 4 }, [6, 7, 8, 9]],
    [{ before: 6, limit: 2 }, [4, 5]],
    [{ before: 3, limit: 10 }, [1, 2]],
    [{ before: 1, limit: 10 }, []],
    [{ before: 1e300, limit: 1 }, [9]],
    [{ after: 2, before: 5, limit: 1 }, [3]],
    [{ after: 0, limit: 0 }, []],
    [{ limit: -1 }, []],
  ])("[R-7] a page of events %j has seq %j", async (query, expected) => {
    await using store = await open(
      creation("ses_before"),
      creation(SESSION),
      creation("ses_after"),
      { sessionId: "ses_before", events: [messageEvent("not mine")] },
      { sessionId: SESSION, events: Array.from({ length: 9 }, () => messageEvent("mine")) },
      { sessionId: "ses_after", events: [messageEvent("not mine")] },
    );
    const page = await store.readEvents(SESSION, query);
    expect(page.map(({ seq }) => seq)).toEqual(expected);
    expect(page.every(({ json }) => json.includes('"mine"'))).toBe(true);
  });

  test.each([
    [{ units: 0 }, [2]],
    [{ units: 1200 }, [2, 3]],
    [{ units: 1e9 }, [2, 3, 4, 5]],
    [{ units: 1e9, limit: 1 }, [2]],
  ])("[R-7] [R-20] a page of large events within %j has seq %j", async (bound, expected) => {
    const events = Array.from({ length: 5 }, () => messageEvent("x".repeat(400)));
    await using store = await open(creation(SESSION), { sessionId: SESSION, events });
    const page = await store.readEvents(SESSION, { after: 1, limit: 10, ...bound });
    expect(page.map(({ seq }) => seq)).toEqual(expected);
    expect(await store.readEvents(SESSION, { after: 1, limit: 10 })).toHaveLength(4);
  });

  test("the log of an unknown session is empty", async () => {
    await using store = await open();
    expect(await store.readEvents("ses_unknown", { after: 0, limit: 10 })).toEqual([]);
    expect(await store.readEvents("ses_unknown", { limit: 10 })).toEqual([]);
  });
}
