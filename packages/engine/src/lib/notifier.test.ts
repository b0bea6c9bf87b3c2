import { expect, test } from "vitest";

import { Notifier } from "./notifier.ts";

test("wakes everyone who waits", async () => {
  const notifier = new Notifier();
  const { signal } = new AbortController();
  const waits = [1, 2, 3].map(() => notifier.wait(0, { signal }));
  expect(notifier.waiting).toBe(3);
  notifier.notify();
  await Promise.all(waits);
  expect(notifier.waiting).toBe(0);
});

test("[R-7] does not wait if something has changed since", async () => {
  const notifier = new Notifier();
  const { version } = notifier;
  notifier.notify();
  await notifier.wait(version, { signal: new AbortController().signal });
  expect(notifier.waiting).toBe(0);
});

test("[R-18] an abort ends the wait and leaves nothing behind", async () => {
  const notifier = new Notifier();
  const end = new AbortController();
  const wait = notifier.wait(0, { signal: end.signal });
  end.abort();
  await wait;
  expect(notifier.waiting).toBe(0);
});
