import { fromProblem, isErrorCode, type Problem, type ProtocolError } from "@holdpoint/protocol";

/** The error that a problem document states; `undefined` for a value that is none, or none that this version knows. */
export function readProblem(value: unknown): ProtocolError | undefined {
  const { code, detail } = (value ?? {}) as Partial<Problem>;
  const isKnown = typeof code === "string" && isErrorCode(code) && typeof detail === "string";
  return isKnown ? fromProblem(value as Problem) : undefined;
}
