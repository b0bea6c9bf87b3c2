import { ERROR_CODES, isErrorCode } from "@holdpoint/protocol";
import type { Problem } from "@holdpoint/protocol";

/** A call's answer: what it carries, or the problem that the gateway states. */
export type GatewayAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/** The problem in a value that came over a wire; `undefined` when it is none that this version knows. */
export function readProblemValue(value: unknown): Problem | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code, detail } = value as Record<string, unknown>;
  if (typeof code !== "string" || !isErrorCode(code) || typeof detail !== "string")
    return undefined;
  const { status, retryable, title } = ERROR_CODES[code];
  return { type: "about:blank", title, status, retryable, ...value, code, detail };
}
