import {
  ProtocolError,
  toProblem,
  type ErrorCode,
  type ProblemExtras,
  type RespondResult,
} from "@holdpoint/protocol";

/** The reasons to refuse a response, with the errors for its sender. */
const RESPONSE_PROBLEMS = {
  already_answered: ["ALREADY_ANSWERED", "Another response came first."],
  expired: ["EXPIRED", "The time to answer is over."],
  withdrawn: ["WITHDRAWN", "This has been withdrawn."],
  orphaned: ["WITHDRAWN", "The agent that asked is gone."],
  digest_mismatch: [
    "DIGEST_MISMATCH",
    "The request shown is not the one that would run. Reload it.",
  ],
  invalid: ["INVALID_RESPONSE", "The response does not fit what was asked."],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, string]>>;

/** The result of a response that is refused for this reason. `detail` replaces the usual text. */
export function refusedResponse(
  reason: keyof typeof RESPONSE_PROBLEMS,
  { detail, ...extras }: ProblemExtras & { readonly detail?: string | undefined } = {},
): RespondResult {
  const [code, usual] = RESPONSE_PROBLEMS[reason];
  const problem = toProblem(new ProtocolError(code, detail ?? usual, extras));
  return { status: "refused", problem };
}
