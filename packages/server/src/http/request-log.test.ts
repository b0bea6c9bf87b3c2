import { expect, test } from "vitest";

import { describeError } from "./request-log.ts";

test("[R-19] an error is described by its kind and place, without its message, even if it is its own cause", () => {
  const error = Object.assign(new RangeError("secret answer\nsecond line"), { code: "E_RANGE" });
  error.cause = error;
  const described = describeError(error);
  expect(described).toMatchObject({
    errorName: "RangeError",
    errorCode: "E_RANGE",
    stack: expect.stringContaining("request-log.test.ts"),
    cause: { errorName: "RangeError" },
  });
  expect(JSON.stringify(described)).not.toMatch(/secret|second/);
});

test("a thrown value that is no error is named only by its type", () => {
  expect(describeError("secret answer")).toEqual({ errorName: "string" });
  expect(describeError(null)).toEqual({ errorName: "object" });
});
