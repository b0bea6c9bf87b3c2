import { expect, test } from "vitest";

import {
  ERROR_CODES,
  errorFactsOf,
  fromProblem,
  isErrorCode,
  problemSchema,
  ProtocolError,
  toProblem,
} from "./index.ts";

const codes = Object.keys(ERROR_CODES).filter(isErrorCode);

test.each(codes)("%s survives a round trip over the wire", (code) => {
  const error = new ProtocolError(code, "What happened.", { fieldErrors: { title: "Too long." } });
  const received = fromProblem(problemSchema.parse(JSON.parse(JSON.stringify(toProblem(error)))));
  expect(received).toMatchObject({
    code,
    message: "What happened.",
    extras: { fieldErrors: { title: "Too long." } },
  });
  expect(ProtocolError.isInstance(received)).toBe(true);
});

test("only 429, 5xx, stale proofs and temporary conflicts invite a retry", () => {
  const retryable = codes.filter((code) => errorFactsOf(code).retryable);
  expect(retryable.toSorted()).toEqual([
    "AGENT_UNAVAILABLE",
    "DRAINING",
    "INTERNAL",
    "ISSUER_UNAVAILABLE",
    "NO_WORKING_NODE",
    "OUTCOME_UNKNOWN",
    "PROOF_STALE",
    "RATE_LIMITED",
    "STORE_UNAVAILABLE",
    "TOO_MANY_PENDING",
    "TURN_RUNNING",
  ]);
});

test("names of Object's prototype are not error codes", () => {
  expect(isErrorCode("constructor")).toBe(false);
  expect(isErrorCode("toString")).toBe(false);
});
