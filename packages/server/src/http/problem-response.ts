import { toProtocolError } from "@holdpoint/engine";
import { type ErrorCode, type Problem, ProtocolError, toProblem } from "@holdpoint/protocol";

export const PROBLEM_TYPE = "application/problem+json";

/** The headers of an answer with this problem. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = { "Content-Type": PROBLEM_TYPE };
  if (problem.status === 401) headers["WWW-Authenticate"] = challengeOf(problem);
  if (problem.retryAfterMs !== undefined) {
    headers["Retry-After"] = String(Math.ceil(problem.retryAfterMs / 1000));
  }
  // The rest of a body that is too large is not read.
  if (problem.status === 413) headers["Connection"] = "close";
  return headers;
}

/** The `WWW-Authenticate` challenge (RFC 9449). */
function challengeOf({ code }: Problem): string {
  switch (code) {
    case "PROOF_REQUIRED":
      return 'DPoP algs="ES256"';
    case "PROOF_REFUSED":
      return 'DPoP error="invalid_dpop_proof", algs="ES256"';
    case "PROOF_STALE":
      return 'DPoP error="use_dpop_nonce", algs="ES256"';
    default:
      return 'Bearer realm="holdpoint"';
  }
}

export function problemResponse(problem: Problem, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...problemHeaders(problem), ...headers },
  });
}

/** The error as clients see it: its own code, or `INTERNAL` without details. */
export function toClientError(error: unknown): ProtocolError {
  const known = toProtocolError(error);
  return known ?? new ProtocolError("INTERNAL", "Something went wrong inside the gateway.");
}

const FAULTS: ReadonlySet<ErrorCode> = new Set([
  "INTERNAL",
  "OUTCOME_UNKNOWN",
  "STORE_UNAVAILABLE",
]);

/** True for errors of the gateway or its store, which its operator should see. */
export function isFault(error: unknown): boolean {
  return FAULTS.has(toClientError(error).code);
}

export function problemOf(error: unknown): Problem {
  return toProblem(toClientError(error));
}
