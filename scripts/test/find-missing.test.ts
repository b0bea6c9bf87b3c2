import { afterEach, expect, test, vi } from "vitest";

import { findMissing } from "./find-missing.ts";

afterEach(() => vi.unstubAllEnvs());

test("a missing browser is named, with the command that installs one", () => {
  vi.stubEnv("CHROMIUM_PATH", "/nowhere/chromium");
  expect(findMissing()).toEqual([expect.stringMatching(/^Chromium.*npm run install:browser/)]);
});
