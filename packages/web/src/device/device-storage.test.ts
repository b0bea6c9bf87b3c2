import { expect, test } from "vitest";

import { createDeviceStorage, readClientId } from "./device-storage.ts";

function fakeStorage(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as unknown as Storage;
}

test("a device keeps its client id over reloads", () => {
  const storage = fakeStorage();
  const before = createDeviceStorage(() => storage, new EventTarget());
  const after = createDeviceStorage(() => storage, new EventTarget());
  expect(readClientId(before, () => "first")).toBe("first");
  expect(readClientId(after, () => "second")).toBe("first");
});

test("where storage is refused, values last as long as the page", () => {
  const device = createDeviceStorage(() => {
    throw new Error("refused");
  }, new EventTarget());
  device.write("theme", "dark");
  expect(device.read("theme")).toBe("dark");
  device.write("theme", undefined);
  expect(device.read("theme")).toBeUndefined();
});
