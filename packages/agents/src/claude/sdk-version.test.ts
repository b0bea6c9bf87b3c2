import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { isUntestedSdk, TESTED_SDK } from "./sdk-version.ts";

test("the tested version of the SDK is the one that the tests install", () => {
  const manifest = new URL("../../../../package.json", import.meta.url);
  const { devDependencies } = JSON.parse(readFileSync(manifest, "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies["@anthropic-ai/claude-agent-sdk"]).toBe(TESTED_SDK);
});

test.each([
  [TESTED_SDK, false],
  ["0.3.300", false],
  ["0.2.999", false],
  ["0.3.331", true],
  ["0.3.331-beta.1", true],
  ["0.4.0", true],
  ["1.0.0", true],
])("version %s of the SDK is untested: %s", (version, isUntested) => {
  expect(isUntestedSdk(version)).toBe(isUntested);
});
