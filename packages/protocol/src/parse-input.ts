import type { z } from "zod";

import { ProtocolError } from "./protocol-error.ts";

/** Parses a value with the schema. Throws `BAD_REQUEST`, which names the invalid fields but never their values. */
export function parseInput<TOutput>(schema: z.ZodType<TOutput>, value: unknown): TOutput {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw toBadRequest(result.error.issues);
}

/** Returns the error that names the invalid fields. */
export function toBadRequest(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ProtocolError {
  const fieldErrors: Record<string, string> = {};
  for (const { path, message } of issues) fieldErrors[path.map(String).join(".")] ??= message;
  const [[field, message] = ["", "Wrong shape."]] = Object.entries(fieldErrors);
  const detail = field === "" ? message : `${field}: ${message}`;
  return new ProtocolError("BAD_REQUEST", detail, { fieldErrors });
}
