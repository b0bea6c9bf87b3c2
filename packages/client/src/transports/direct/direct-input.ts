import {
  bodyLimitOf,
  parseOperationInput,
  tooLarge,
  type OperationInput,
  type OperationName,
} from "@holdpoint/protocol";

/** Returns the value as it would arrive over a network: an independent copy without `undefined` members. */
export function copyJson<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Copies and validates an input like the gateway's HTTP routes. Throws `BAD_REQUEST`, or `TOO_LARGE` for the body. */
export function readInput(name: OperationName, input: OperationInput): OperationInput {
  const limit = bodyLimitOf(name);
  const body = JSON.stringify(input.body) as string | undefined;
  if (body !== undefined && new TextEncoder().encode(body).length > limit) {
    throw tooLarge("The body", limit);
  }
  return parseOperationInput(name, copyJson(input));
}
