import type { ErrorCode, Problem, RespondResult } from "@holdpoint/protocol";
import { fromProblem } from "@holdpoint/protocol";

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ALREADY_ANSWERED",
  "DIGEST_MISMATCH",
  "EXPIRED",
  "WITHDRAWN",
  "INVALID_RESPONSE",
]);

/** Losing, lateness and invalid values are results of a response; any other problem is thrown. */
export function toRefusal(problem: Problem): RespondResult {
  if (!REFUSALS.has(problem.code)) throw fromProblem(problem);
  return { status: "refused", problem };
}
