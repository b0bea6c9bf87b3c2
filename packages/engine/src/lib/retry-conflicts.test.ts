import { expect, test } from "vitest";

import { CONFLICT, MAX_ATTEMPTS, retryConflicts } from "./retry-conflicts.ts";

test("a write that conflicts is repeated until it does not", async () => {
  let attempts = 0;
  const result = await retryConflicts(async () => {
    attempts += 1;
    return attempts < 3 ? CONFLICT : "written";
  });
  expect({ result, attempts }).toEqual({ result: "written", attempts: 3 });
});

test("a write that always conflicts rejects with WRITE_CONFLICT", async () => {
  let attempts = 0;
  const written = retryConflicts(async () => {
    attempts += 1;
    return CONFLICT;
  });
  await expect(written).rejects.toMatchObject({ code: "WRITE_CONFLICT" });
  expect(attempts).toBe(MAX_ATTEMPTS);
});

test("a failed write is not repeated", async () => {
  const written = retryConflicts(async () => {
    throw new Error("The disk is full.");
  });
  await expect(written).rejects.toThrow("The disk is full.");
});
