import { describe, expect, test } from "vitest";

import { createBrowserDrafts } from "./browser-drafts.ts";
import { createMemoryDrafts, type DraftStorage } from "./drafts.ts";

/** `localStorage` with room for this many characters. */
function createStorage(room = Infinity): Storage {
  const entries = new Map<string, string>();
  const used = (): number =>
    [...entries].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  return {
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    removeItem: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    setItem(key, text) {
      const before = entries.get(key);
      entries.set(key, text);
      if (used() <= room) return;
      if (before === undefined) entries.delete(key);
      else entries.set(key, before);
      throw new DOMException("Full.", "QuotaExceededError");
    },
  };
}

function createClock(): { now: () => number } {
  let nowMs = 0;
  return { now: () => (nowMs += 1) };
}

const kinds: [string, () => DraftStorage][] = [
  ["memory", createMemoryDrafts],
  ["browser", () => createBrowserDrafts(createStorage(), { clock: createClock() })],
];

test.each(kinds)("%s drafts are read, replaced and removed", (_, create) => {
  const drafts = create();
  expect(drafts.read("a")).toBeUndefined();
  drafts.write("a", "one");
  drafts.write("b", "other");
  drafts.write("a", "two");
  expect([drafts.read("a"), drafts.read("b")]).toEqual(["two", "other"]);
  drafts.remove("a");
  drafts.write("b", "");
  expect([drafts.read("a"), drafts.read("b")]).toEqual([undefined, undefined]);
});

describe("browser drafts", () => {
  test("outlive the page", () => {
    const storage = createStorage();
    createBrowserDrafts(storage, { clock: createClock() }).write("a", "typed");
    expect(createBrowserDrafts(storage, { clock: createClock() }).read("a")).toBe("typed");
  });

  test("drop the oldest beyond their bound, and no other entries", () => {
    const storage = createStorage();
    storage.setItem("theme", "dark");
    const drafts = createBrowserDrafts(storage, { clock: createClock(), maxDrafts: 2 });
    for (const key of ["a", "b", "a", "c"]) drafts.write(key, `text of ${key}`);
    expect(["a", "b", "c"].map((key) => drafts.read(key))).toEqual([
      "text of a",
      undefined,
      "text of c",
    ]);
    expect(storage.getItem("theme")).toBe("dark");
  });

  test("make room for the newest when storage is full", () => {
    const drafts = createBrowserDrafts(createStorage(300), { clock: createClock() });
    for (let index = 0; index < 20; index += 1) drafts.write(`key-${index}`, "x".repeat(50));
    expect(drafts.read("key-19")).toBe("x".repeat(50));
    expect(drafts.read("key-0")).toBeUndefined();
  });

  test("live as long as the page when there is no room at all", () => {
    const drafts = createBrowserDrafts(createStorage(10), { clock: createClock() });
    drafts.write("a", "a long text");
    expect(drafts.read("a")).toBe("a long text");
    drafts.remove("a");
    expect(drafts.read("a")).toBeUndefined();
  });

  test("survive forbidden storage, and entries of other programs", () => {
    const forbidden = new Proxy({} as Storage, {
      get: () => {
        throw new DOMException("Denied.", "SecurityError");
      },
    });
    const drafts = createBrowserDrafts(forbidden, { clock: createClock() });
    drafts.write("a", "typed");
    expect(drafts.read("a")).toBe("typed");
    const storage = createStorage();
    storage.setItem("holdpoint.draft.b", "{broken");
    expect(createBrowserDrafts(storage).read("b")).toBeUndefined();
  });
});
