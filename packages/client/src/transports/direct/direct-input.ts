import {
  bodyLimitOf,
  parseOperationInput,
  tooLarge,
  type OperationInput,
  type OperationName,
} from "@holdpoint/protocol";

/** The value as it would arrive over a wire: a copy that shares nothing, without `undefined` members. */
export function copyJson<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Copies and checks an input as the gateway's HTTP routes do. Throws `BAD_REQUEST`, and `TOO_LARGE` for its body. */
export function readInput(name: OperationName, input: OperationInput): OperationInput {
  const limit = bodyLimitOf(name);
  const body = JSON.stringify(input.body) as string | undefined;
  if (body !== undefined && new TextEncoder().encode(body).length > limit) {
    throw tooLarge("The body", limit);
  }
  return parseOperationInput(name, copyJson(input));
}
