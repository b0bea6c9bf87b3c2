import type { ErrorCode } from "./error-code.ts";
import { ProtocolError, type ProblemExtras } from "./protocol-error.ts";
import { inEnglish, saidOf, type Told } from "./saying.ts";

/** An error with words for people, which a page says in its own language. Its message is their English. */
export function refusal(
  code: ErrorCode,
  detail: Told,
  extras: ProblemExtras = {},
  options?: ErrorOptions,
): ProtocolError {
  return new ProtocolError(code, inEnglish(detail), { ...extras, ...saidOf({ detail }) }, options);
}
