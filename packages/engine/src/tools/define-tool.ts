import { type ResponderPolicy, responderPolicySchema } from "@holdpoint/protocol";
import type { z } from "zod";

import type { ToolContext } from "./tool-context.ts";
import { compileParameters, type JsonSchema, type ToolParameters } from "./tool-parameters.ts";

/** A tool of the gateway, offered to every agent. */
export interface Tool {
  /** Letters, digits, `_` and `-`, beginning with a letter. */
  readonly name: string;
  /** For the model: the purpose of the tool, and when to use it. */
  readonly description: string;
  /** A zod object schema or a JSON Schema of an object. Absent: the tool has no arguments. */
  readonly parameters?: z.ZodType | JsonSchema;
  /** Whether the tool changes nothing, so that an agent limited to reading can call it without permission. */
  readonly readOnly?: boolean;
  /** Who may answer the tool's requests. It can only narrow the gateway's config. */
  readonly responders?: ResponderPolicy;
  /** Returns the tool's result: any JSON value. An error that it throws becomes a tool error. */
  handler(args: never, context: ToolContext): unknown;
}

interface ToolParts<TParameters, TArguments> {
  readonly name: string;
  readonly description: string;
  readonly parameters: TParameters;
  readonly readOnly?: boolean;
  readonly responders?: ResponderPolicy;
  readonly handler: (args: TArguments, context: ToolContext) => unknown;
}

/** Checks a tool and types its handler's arguments. Throws a `TypeError` that names the tool. */
export function defineTool<TSchema extends z.ZodType<Record<string, unknown>>>(
  tool: ToolParts<TSchema, z.output<TSchema>>,
): Tool;
export function defineTool(
  tool: Omit<ToolParts<JsonSchema, Record<string, unknown>>, "parameters"> & {
    readonly parameters?: JsonSchema;
  },
): Tool;
export function defineTool(tool: Tool): Tool {
  compileTool(tool);
  return tool;
}

/** A tool that has been checked and can be called. */
export interface CompiledTool extends ToolParameters {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly responders?: ResponderPolicy | undefined;
  readonly handler: (args: Record<string, unknown>, context: ToolContext) => unknown;
}

const WORDS: readonly string[] = Object.keys({
  name: true,
  description: true,
  parameters: true,
  readOnly: true,
  responders: true,
  handler: true,
} satisfies Record<keyof Tool, true>);
const NAME_PATTERN = /^[a-z][a-z0-9_-]{0,63}$/i;

/**
 * Throws a `TypeError` that names the tool and its problem. Accepts any value, since tools come from people's files.
 */
export function compileTool(value: unknown): CompiledTool {
  if (typeof value !== "object" || value === null) throw new TypeError("A tool is not an object.");
  const tool = value as Partial<Record<keyof Tool, unknown>>;
  const { name, description, parameters, readOnly = false, responders, handler } = tool;
  assertName(name);
  const fail = (problem: string, cause?: unknown) =>
    new TypeError(`The tool ${name} cannot be used: ${problem}`, { cause });
  const stray = strayWord(tool);
  if (stray !== undefined) {
    throw fail(
      `${JSON.stringify(stray)} is not a property of a tool; those are ${WORDS.join(", ")}.`,
    );
  }
  if (typeof description !== "string" || description.trim() === "") {
    throw fail("it has no description.");
  }
  if (typeof handler !== "function") throw fail("it has no handler.");
  if (typeof readOnly !== "boolean") throw fail("`readOnly` is neither true nor false.");
  const policy = responderPolicySchema.optional().safeParse(responders);
  if (!policy.success) throw fail("`responders` is not a policy.", policy.error);
  try {
    const compiled = compileParameters(parameters);
    // Called on the tool, so that a handler may use `this`.
    const bound = handler.bind(tool);
    return { name, description, readOnly, responders: policy.data, handler: bound, ...compiled };
  } catch (error: unknown) {
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
}

/** An unknown property of a tool, if it is a plain object. An instance of a class may have its own state. */
function strayWord(tool: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(tool);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  return Object.keys(tool).find((key) => !WORDS.includes(key));
}

function assertName(name: unknown): asserts name is string {
  if (typeof name === "string" && NAME_PATTERN.test(name)) return;
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : typeof name;
  throw new TypeError(`A tool has an invalid name: ${shown}.`);
}
