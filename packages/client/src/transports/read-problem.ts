import { fromProblem, isErrorCode, type Problem, type ProtocolError } from "@holdpoint/protocol";

/** Returns the error of a problem document, or `undefined` if the value is not one that this version knows. */
export function readProblem(value: unknown): ProtocolError | undefined {
  const { code, detail } = (value ?? {}) as Partial<Problem>;
  const isKnown = typeof code === "string" && isErrorCode(code) && typeof detail === "string";
  return isKnown ? fromProblem(value as Problem) : undefined;
}
