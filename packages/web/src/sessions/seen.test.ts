import { expect, test } from "vitest";

import { createDeviceStorage } from "../device/device-storage.ts";
import { createSeenStore } from "./seen-store.ts";
import { beginSeen, isUnread, parseSeen, withLook } from "./seen.ts";

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
const ended = (sessionId: string, minute: number) => ({ sessionId, lastEndedAt: at(minute) });

test("a new device has seen everything, and then what it looks at", () => {
  const begun = beginSeen([ended("a", 1), ended("b", 5), { sessionId: "c" }]);
  expect(isUnread(begun, ended("a", 1))).toBe(false);
  expect(isUnread(begun, ended("b", 5))).toBe(false);
  expect(isUnread(begun, { sessionId: "c" })).toBe(false);
  expect(isUnread(begun, ended("a", 6))).toBe(true);
  const looked = withLook(begun, ended("a", 6));
  expect(isUnread(looked, ended("a", 6))).toBe(false);
  expect(isUnread(looked, ended("b", 6))).toBe(true);
  expect(isUnread(looked, ended("a", 7))).toBe(true);
  expect(withLook(looked, ended("a", 6))).toBe(looked);
});

test("[R-20] only a few of ten thousand sessions are kept, and no seen one becomes new again", () => {
  let seen = beginSeen([]);
  for (let index = 1; index <= 10_000; index += 1) seen = withLook(seen, ended(`s${index}`, index));
  expect(Object.keys(seen.ends).length).toBeLessThanOrEqual(500);
  for (let index = 1; index <= 10_000; index += 1) {
    expect(isUnread(seen, ended(`s${index}`, index))).toBe(false);
  }
  expect(isUnread(seen, ended("s1", 10_001))).toBe(true);
});

test.each([undefined, "", "null", "[]", '{"since":1,"ends":{}}', '{"since":""}', "{"])(
  "unreadable storage (%j) counts as empty",
  (text) => expect(parseSeen(text)).toBeUndefined(),
);

test("a seen session stays seen after a reload, in all tabs", () => {
  const [kept, target] = [new Map<string, string>(), new EventTarget()];
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
  const session = ended("a", 3) as never;
  const open = () => createSeenStore(createDeviceStorage(() => storage, target));
  const one = open();
  one.look(session);
  expect(one.getSnapshot()).toBeUndefined();
  one.begin([]);
  one.begin([session]);
  expect(isUnread(one.getSnapshot()!, session)).toBe(true);
  one.look(session);
  expect(isUnread(open().getSnapshot()!, session)).toBe(false);
});
