import { ProtocolError } from "@holdpoint/protocol";
import type { z } from "zod";

/** What the schema makes of the input; without a schema nothing. Throws `BAD_REQUEST`. */
export function parseInput(schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw toBadRequest(result.error.issues);
}

/** The error that names the wrong fields. */
export function toBadRequest(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ProtocolError {
  const fieldErrors: Record<string, string> = {};
  for (const { path, message } of issues) fieldErrors[path.map(String).join(".")] ??= message;
  const [[field, message] = ["", "Wrong shape."]] = Object.entries(fieldErrors);
  const detail = field === "" ? message : `${field}: ${message}`;
  return new ProtocolError("BAD_REQUEST", detail, { fieldErrors });
}
