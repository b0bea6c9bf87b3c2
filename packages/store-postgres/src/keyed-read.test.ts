import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { KeyedRead } from "./keyed-read.ts";
import type { Read } from "./reader.ts";

/** A table whose statements end on the test's command. */
function openTable(rows: Map<string, string>) {
  const sent: { keys: string[]; end: (error?: Error) => void }[] = [];
  const read = (async (_text: string, values: readonly (string | readonly string[])[]) => {
    const keys = values.flat();
    // A statement sees the rows that exist when it is sent.
    const found = keys.flatMap((key) => (rows.has(key) ? [{ key, value: rows.get(key) }] : []));
    const ended = Promise.withResolvers<void>();
    const end = (error?: Error): void => (error ? ended.reject(error) : ended.resolve());
    sent.push({ keys, end });
    await ended.promise;
    return found;
  }) as unknown as Read;
  const keyed = new KeyedRead<{ key: string; value: string }>(read, { name: "n", text: "t" });
  return { sent, get: async (key: string) => (await keyed.get(key))?.value };
}

test("keys that come in one turn, or while a statement is running, share the next statement", async () => {
  const { sent, get } = openTable(
    new Map([
      ["a", "1"],
      ["b", "2"],
    ]),
  );
  const first = [get("a"), get("b"), get("a"), get("none")];
  await setImmediate();
  const second = [get("b"), get("a")];
  await setImmediate();
  expect(sent.map(({ keys }) => keys)).toEqual([["a", "b", "none"]]);
  sent[0]!.end();
  expect(await Promise.all(first)).toEqual(["1", "2", "1", undefined]);
  sent[1]!.end();
  expect(await Promise.all(second)).toEqual(["2", "1"]);
  expect(sent).toHaveLength(2);
});

test("[R-1] a read never returns a row from before the read began", async () => {
  const rows = new Map([["a", "pending"]]);
  const { sent, get } = openTable(rows);
  const before = get("a");
  await setImmediate();
  rows.set("a", "answered");
  const after = get("a");
  await setImmediate();
  sent[0]!.end();
  expect(await before).toBe("pending");
  await setImmediate();
  sent[1]!.end();
  expect(await after).toBe("answered");
});

test("a failing statement rejects only the reads that shared it", async () => {
  const { sent, get } = openTable(new Map([["a", "1"]]));
  const failing = Promise.allSettled([get("a"), get("b")]);
  await setImmediate();
  const next = get("a");
  sent[0]!.end(new Error("away"));
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await setImmediate();
  sent[1]!.end();
  expect(await next).toBe("1");
});
