import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

export type ParsedArguments =
  | { readonly status: "valid"; readonly args: Record<string, unknown> }
  /** Says where and what; quotes no value. */
  | { readonly status: "invalid"; readonly message: string };

export interface ToolParameters {
  /** For agents: an object schema. */
  readonly inputSchema: JsonSchema;
  parse(args: unknown): Promise<ParsedArguments>;
}

/** Throws `TypeError` for what describes no object. */
export function compileParameters(parameters: unknown): ToolParameters {
  const schema = toZod(parameters);
  const { $schema: _, ...inputSchema } = toJsonSchema(schema);
  if (inputSchema["type"] !== "object") throw new TypeError("its parameters are not an object.");
  return { inputSchema, parse: (args) => parse(schema, args) };
}

function toZod(parameters: unknown): z.ZodType {
  if (parameters === undefined) return z.object({});
  if (typeof parameters !== "object" || parameters === null) {
    throw new TypeError("its parameters are neither a zod schema nor a JSON Schema.");
  }
  if ("_zod" in parameters) return parameters as z.ZodType;
  if ("_def" in parameters) {
    throw new TypeError("its parameters are a schema of zod 3; use zod 4, or a JSON Schema.");
  }
  try {
    return z.fromJSONSchema(parameters as z.core.JSONSchema.JSONSchema);
  } catch (error: unknown) {
    throw new TypeError("its parameters are not a JSON Schema.", { cause: error });
  }
}

function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, { io: "input" });
  } catch (error: unknown) {
    throw new TypeError("its parameters cannot be described to an agent.", { cause: error });
  }
}

async function parse(schema: z.ZodType, args: unknown): Promise<ParsedArguments> {
  const result = await z.safeParseAsync(schema, args ?? {});
  if (result.success) return { status: "valid", args: result.data as Record<string, unknown> };
  const message = result.error.issues.map(describeIssue).join("; ");
  return { status: "invalid", message };
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`;
}
