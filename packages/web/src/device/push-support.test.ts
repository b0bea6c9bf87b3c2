import { expect, test } from "vitest";

import { type BrowserFacts, judgePushSupport } from "./push-support.ts";

const desktop: BrowserFacts = {
  isSecure: true,
  hasPush: true,
  permission: "default",
  isApplePhone: false,
  isInstalled: false,
};

test.each<[string, Partial<BrowserFacts>, RegExp | undefined]>([
  ["a desktop", {}, undefined],
  ["one that has allowed it", { permission: "granted" }, undefined],
  [
    "a page over http",
    { isSecure: false, hasPush: false, permission: undefined },
    /https address/u,
  ],
  ["an iPhone over http", { isSecure: false, isApplePhone: true }, /https address/u],
  [
    "an iPhone's Safari",
    { isApplePhone: true, hasPush: false, permission: undefined },
    /Add to Home Screen/u,
  ],
  ["an iPhone's home screen", { isApplePhone: true, isInstalled: true }, undefined],
  ["a browser without push", { hasPush: false }, /Use a current/u],
  ["one without notifications", { permission: undefined }, /Use a current/u],
  ["one that has blocked it", { permission: "denied" }, /settings for this page/u],
])("%s gets instructions", (_, facts, wayOut) => {
  const support = judgePushSupport({ ...desktop, ...facts });
  expect(support.kind).toBe(wayOut === undefined ? "yes" : "no");
  expect(support.kind === "no" ? support.wayOut : "").toMatch(wayOut ?? /^$/u);
});
