import { z } from "zod";

import { isSchema, type JsonSchema, missingIn, toAgentSchema, toCheckable } from "./json-schema.ts";

export type { JsonSchema } from "./json-schema.ts";

export type ParsedArguments =
  | { readonly status: "valid"; readonly args: Record<string, unknown> }
  /** The message states the place and the problem, and quotes no value. */
  | { readonly status: "invalid"; readonly message: string };

export interface ToolParameters {
  /** An object schema, for agents. */
  readonly inputSchema: JsonSchema;
  parse(args: unknown): Promise<ParsedArguments>;
}

/** Throws `TypeError` for parameters that do not describe an object. */
export function compileParameters(parameters: unknown): ToolParameters {
  if (isSchema(parameters) && !isZod(parameters)) return compileJsonSchema(parameters);
  const schema = toZod(parameters);
  const { $schema: _, ...inputSchema } = toJsonSchema(schema);
  if (inputSchema["type"] !== "object") throw notAnObject();
  return { inputSchema, parse: (args) => parse(schema, args) };
}

function compileJsonSchema(published: JsonSchema): ToolParameters {
  if (![published["type"] ?? "object"].flat().includes("object")) throw notAnObject();
  const checked = { ...published, type: "object" };
  const schema = fromJsonSchema(toCheckable(checked));
  return {
    inputSchema: toAgentSchema(published),
    async parse(args) {
      const missing = missingIn(published, isSchema(args) ? args : {});
      if (missing !== undefined) return { status: "invalid", message: missing };
      return parse(schema, args);
    },
  };
}

function notAnObject(): TypeError {
  return new TypeError("its parameters are not an object.");
}

function isZod(parameters: object): boolean {
  return "_zod" in parameters || "_def" in parameters;
}

function toZod(parameters: unknown): z.ZodType {
  if (parameters === undefined) return z.object({});
  if (typeof parameters !== "object" || parameters === null || !isZod(parameters)) {
    throw new TypeError("its parameters are neither a zod schema nor a JSON Schema.");
  }
  if ("_zod" in parameters) return parameters as z.ZodType;
  throw new TypeError("its parameters are a schema of zod 3; use zod 4, or a JSON Schema.");
}

function fromJsonSchema(schema: unknown): z.ZodType {
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  } catch (error: unknown) {
    const reason = error instanceof Error ? `: ${error.message}` : ".";
    throw new TypeError(`its parameters are a JSON Schema that cannot be used${reason}`, {
      cause: error,
    });
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
