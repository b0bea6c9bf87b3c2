import { expect, test } from "vitest";

import { parseCursor } from "./parse-cursor.ts";

test.each([
  [undefined, undefined, { seq: 0 }],
  [undefined, 7, { seq: 7 }],
  ["", 7, { seq: 7 }],
  ["e1.9", 7, { epoch: "e1", seq: 9 }],
  ["2026.01.0", undefined, { epoch: "2026.01", seq: 0 }],
])("Last-Event-ID %s and after %s are %o", (lastEventId, after, cursor) => {
  expect(parseCursor(lastEventId, after)).toEqual(cursor);
});

test.each(["7", ".7", "e1.", "e1.-1", "e1.1e3", "e1.9999999999999999", "e1.7 "])(
  "%s is not an event id",
  (lastEventId) => {
    expect(() => parseCursor(lastEventId, undefined)).toThrow("Last-Event-ID");
  },
);
