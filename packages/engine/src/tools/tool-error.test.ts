import { expect, test } from "vitest";

import { GatewayError } from "../lib/gateway-error.ts";
import { ToolError, type ToolErrorCode } from "./tool-error.ts";
import { errorResult } from "./tool-result.ts";

/** Complete by its type: a code that is added has to be added here. */
const CODES: Readonly<Record<ToolErrorCode, true>> = {
  UNKNOWN_TOOL: true,
  INVALID_ARGUMENTS: true,
  DUPLICATE_CALL: true,
  INVALID_REQUEST: true,
  INTERACTION_REFUSED: true,
  INTERACTION_UNAVAILABLE: true,
  INTERACTION_TIMEOUT: true,
  INTERACTION_CANCELLED: true,
  INTERACTION_QUEUED: true,
  NOT_APPROVED: true,
  REPROMPT_LIMIT: true,
  REPLAY_MISMATCH: true,
  RESULT_UNKNOWN: true,
  HANDLER_FAILED: true,
  INVALID_RESULT: true,
  RESULT_TOO_LARGE: true,
  DRAINING: true,
};

test.each(Object.keys(CODES) as ToolErrorCode[])(
  "a ToolError with the code %s is recognised, and the agent gets that code",
  (code) => {
    const error = new ToolError(code, "It failed.");
    expect(ToolError.isInstance(error)).toBe(true);
    expect(errorResult(error).structured).toMatchObject({ code });
  },
);

test("an engine error with another code is not a ToolError", () => {
  expect(ToolError.isInstance(new GatewayError("STORE_FAILED", "It failed."))).toBe(false);
});
