import { errorFactsOf, type ErrorCode } from "./error-code.ts";
import { ERROR_TITLES, OUTCOME_TITLES } from "./error-titles.ts";
import type { Problem } from "./problem.ts";

const MARKER = Symbol.for("holdpoint.error.ProtocolError");

/** What a problem carries beside its code and detail. */
export type ProblemExtras = Pick<Problem, "fieldErrors" | "winner" | "retryAfterMs" | "said">;

/**
 * An error that every transport carries unchanged. Its message never holds answers, inputs or secrets. When to try again
 * is in the table of error codes, unless `extras` say it.
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: ErrorCode;
  readonly extras: ProblemExtras;

  constructor(code: ErrorCode, detail: string, extras: ProblemExtras = {}, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    const retryAfterMs = extras.retryAfterMs ?? errorFactsOf(code).retryAfterMs;
    this.extras = { ...extras, retryAfterMs };
  }

  get [MARKER](): true {
    return true;
  }

  /** True for a ProtocolError of any copy of this module. */
  static isInstance(value: unknown): value is ProtocolError {
    return value instanceof Error && MARKER in value;
  }
}

/** The error for something beyond its limit, such as `A frame`. */
export function tooLarge(what: string, maxBytes: number): ProtocolError {
  return new ProtocolError("TOO_LARGE", `${what} may have at most ${maxBytes} bytes.`);
}

/** The error of every request that is more than a read, while the gateway is stopping. */
export function drainingError(): ProtocolError {
  return new ProtocolError("DRAINING", "The gateway is stopping. Nothing was changed.");
}

/** The problem document of an error. */
export function toProblem(error: ProtocolError): Problem {
  return withTitle(error, ERROR_TITLES[error.code]);
}

/** The same for an error that tells what became of a response; any other gets its code for a title. */
export function toOutcomeProblem(error: ProtocolError): Problem {
  const titles: Partial<Record<ErrorCode, string>> = OUTCOME_TITLES;
  return withTitle(error, titles[error.code] ?? error.code);
}

function withTitle(error: ProtocolError, title: string): Problem {
  const { status, retryable = false } = errorFactsOf(error.code);
  return {
    type: "about:blank",
    title,
    status,
    code: error.code,
    detail: error.message,
    retryable,
    ...error.extras,
  };
}

/** The error that a problem document came from. */
export function fromProblem(problem: Problem): ProtocolError {
  const { code, detail, fieldErrors, winner, retryAfterMs, said } = problem;
  return new ProtocolError(code, detail, { fieldErrors, winner, retryAfterMs, said });
}
