import { expect, test } from "vitest";

import { seal, unseal } from "./seal.ts";

const KEY = Buffer.alloc(32, 1);
const PLAIN = Buffer.from("s3cret");

test("[R-19] sealed bytes open with their key and context, and with no other", () => {
  const sealed = seal(KEY, PLAIN, "here");
  expect(sealed.includes(PLAIN)).toBe(false);
  expect(unseal(KEY, sealed, "here")).toEqual(PLAIN);
  expect(unseal(KEY, sealed, "there")).toBeUndefined();
  expect(unseal(KEY, sealed)).toBeUndefined();
  expect(unseal(Buffer.alloc(32, 2), sealed, "here")).toBeUndefined();
});

test("[R-19] bytes that were changed or cut open with no key", () => {
  const sealed = seal(KEY, PLAIN);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = changed[at]! ^ 1;
    expect(unseal(KEY, changed)).toBeUndefined();
    expect(unseal(KEY, sealed.subarray(0, at))).toBeUndefined();
  }
});

test("the same bytes are sealed differently each time", () => {
  expect(seal(KEY, PLAIN)).not.toEqual(seal(KEY, PLAIN));
});
