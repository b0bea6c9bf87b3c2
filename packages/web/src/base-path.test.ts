import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  // The tests after these load it for a page that is nowhere else.
  vi.resetModules();
});

test.each([
  [undefined, "/s/a", "/s/a", "http://127.0.0.1:4870"],
  ["/", "/s/a", "/s/a", "http://127.0.0.1:4870"],
  ["/holdpoint/", "/s/a", "/holdpoint/s/a", "http://127.0.0.1:4870/holdpoint"],
  ["/a/b/", "/?x=1#y", "/a/b/?x=1#y", "http://127.0.0.1:4870/a/b"],
])("a page at %s", async (place, path, placed, url) => {
  vi.stubGlobal("document", { documentElement: { dataset: place === undefined ? {} : { place } } });
  vi.stubGlobal("location", { origin: "http://127.0.0.1:4870" });
  const page = await import("./base-path.ts");
  expect(page.withBasePath(path)).toBe(placed);
  expect(page.fromPlaced(placed)).toBe(path);
  expect(page.pageUrl()).toBe(url);
  // A page that is opened outside its path, such as at the gateway's own address.
  expect(page.fromPlaced("/s/b")).toBe("/s/b");
});
