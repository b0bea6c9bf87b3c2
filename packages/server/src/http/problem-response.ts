import { GatewayError } from "@holdpoint/engine";
import { type Problem, ProtocolError, toProblem } from "@holdpoint/protocol";

export const PROBLEM_TYPE = "application/problem+json";

/** Headers of an answer that carries the problem. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = { "Content-Type": PROBLEM_TYPE };
  if (problem.status === 401) headers["WWW-Authenticate"] = 'Bearer realm="holdpoint"';
  if (problem.retryAfterMs !== undefined)
    headers["Retry-After"] = String(Math.ceil(problem.retryAfterMs / 1000));
  // The rest of a body that is too large is not worth reading.
  if (problem.status === 413) headers["Connection"] = "close";
  return headers;
}

/** The answer that carries the problem. */
export function problemResponse(problem: Problem, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...problemHeaders(problem), ...headers },
  });
}

/** What a client is told of an error: its own code, or `INTERNAL` without any detail; never another 4xx. */
export function toClientError(error: unknown): ProtocolError {
  if (ProtocolError.isInstance(error)) return error;
  if (GatewayError.isInstance(error) && error.code.startsWith("STORE_")) {
    return new ProtocolError("STORE_UNAVAILABLE", "The store is not available. Nothing was lost.", {
      retryAfterMs: 1000,
    });
  }
  return new ProtocolError("INTERNAL", "Something went wrong inside the gateway.");
}

/** What a request that would change something is told while the gateway stops. */
export function drainingError(): ProtocolError {
  return new ProtocolError("DRAINING", "The gateway is stopping. Nothing was changed.", {
    retryAfterMs: 1000,
  });
}

/** The problem document of any error. */
export function problemOf(error: unknown): Problem {
  return toProblem(toClientError(error));
}
