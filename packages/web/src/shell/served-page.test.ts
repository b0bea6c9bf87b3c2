import { expect, test } from "vitest";

import { isOtherBuild } from "./served-page.ts";

const OWN = "/assets/index-own.js";
const page = (script: string): string =>
  `<head><script type="module" crossorigin src="${script}"></script></head>`;

test.each([
  ["another build", page("/assets/index-next.js"), OWN, true],
  ["the same build", page(OWN), OWN, false],
  ["another build under a path", page("/a/assets/index-next.js"), "/a/assets/index-own.js", true],
  ["a proxy's own response", "<h1>Sign in</h1><script src='/login.js'></script>", OWN, false],
  ["nothing", "", OWN, false],
  ["a page whose own build is unknown", page(OWN), undefined, false],
])("the gateway serves %s", (_, text, own, isOther) => {
  expect(isOtherBuild(text, own)).toBe(isOther);
});
