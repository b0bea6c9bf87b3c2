import type { ErrorCode } from "./error-code.ts";
import { ProtocolError, type ProblemExtras } from "./protocol-error.ts";
import { inEnglish, saidOf, type Told } from "./saying.ts";

/** Returns an error with a text that a page can show in its language. The error's message is the English text. */
export function refusal(
  code: ErrorCode,
  detail: Told,
  extras: ProblemExtras = {},
  options?: ErrorOptions,
): ProtocolError {
  return new ProtocolError(code, inEnglish(detail), { ...extras, ...saidOf({ detail }) }, options);
}
