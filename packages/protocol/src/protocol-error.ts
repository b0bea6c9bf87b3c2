import { errorFactsOf, type ErrorCode } from "./error-code.ts";
import { ERROR_TITLES, OUTCOME_TITLES } from "./error-titles.ts";
import type { Problem } from "./problem.ts";

const MARKER = Symbol.for("holdpoint.error.ProtocolError");

/** The parts of a problem other than its code and detail. */
export type ProblemExtras = Pick<Problem, "fieldErrors" | "winner" | "retryAfterMs" | "said">;

/**
 * An error that every transport passes on unchanged. Its message never contains answers, inputs or secrets. The table
 * of error codes defines when to retry, unless `extras` does.
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

  /** Whether the value is a `ProtocolError`, also one from another copy of this module. */
  static isInstance(value: unknown): value is ProtocolError {
    return value instanceof Error && MARKER in value;
  }
}

/** Returns the error for something that exceeds its limit, such as `A frame`. */
export function tooLarge(what: string, maxBytes: number): ProtocolError {
  return new ProtocolError("TOO_LARGE", `${what} may have at most ${maxBytes} bytes.`);
}

/** Returns the error for any request other than a read while the gateway is stopping. */
export function drainingError(): ProtocolError {
  return new ProtocolError("DRAINING", "The gateway is stopping. Nothing was changed.");
}

/** Converts an error to its problem document. */
export function toProblem(error: ProtocolError): Problem {
  return withTitle(error, ERROR_TITLES[error.code]);
}

/** Converts the outcome of a response to its problem document. Other errors get their code as the title. */
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

/** Converts a problem document back to its error. */
export function fromProblem(problem: Problem): ProtocolError {
  const { code, detail, fieldErrors, winner, retryAfterMs, said } = problem;
  return new ProtocolError(code, detail, { fieldErrors, winner, retryAfterMs, said });
}
