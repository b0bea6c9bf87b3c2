import { MAX_TOOL_RESULT_BYTES } from "@holdpoint/protocol";

import { GatewayError } from "../lib/gateway-error.ts";
import type { KeptResult } from "../ports/store.ts";
import { ToolError, type ToolErrorCode } from "./tool-error.ts";

/** The result of a call, for its agent. */
export interface ToolCallResult {
  /** The value's JSON text. */
  readonly content: string;
  readonly isError: boolean;
  /** The value, if it is an object. */
  readonly structured?: Readonly<Record<string, unknown>>;
}

const MAX_MESSAGE_LENGTH = 2000;

/** Throws `ToolError` for a value that JSON cannot represent, or that is too large. */
export function resultOf(value: unknown): ToolCallResult {
  const content = toJson(value);
  if (isTooLarge(content)) {
    const detail = `The tool returned ${content.length} characters of JSON; a result has at most ${MAX_TOOL_RESULT_BYTES} bytes.`;
    throw new ToolError("RESULT_TOO_LARGE", detail);
  }
  return { content, isError: false, ...structuredOf(value) };
}

/** A character has at least one byte. */
function isTooLarge(content: string): boolean {
  return (
    content.length > MAX_TOOL_RESULT_BYTES ||
    new TextEncoder().encode(content).length > MAX_TOOL_RESULT_BYTES
  );
}

/** A stored result in the form for an agent. */
export function toResult({ content, isError }: KeptResult): ToolCallResult {
  return { content, isError, ...structuredOf(parse(content)) };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

export function queuedResult(message: string): ToolCallResult {
  return resultOf({ status: "queued", message });
}

/** A failure as the agent sees it: only its code and its message. */
export function errorResult(
  error: unknown,
  mask: (text: string) => string = (text) => text,
): ToolCallResult {
  // Cut only after masking, since half a secret would not be found.
  const message = mask(messageOf(error)).slice(0, MAX_MESSAGE_LENGTH);
  const value = { status: "error", code: codeOf(error), message };
  return { content: JSON.stringify(value), isError: true, structured: value };
}

function codeOf(error: unknown): ToolErrorCode {
  return ToolError.isInstance(error) ? error.code : "HANDLER_FAILED";
}

function messageOf(error: unknown): string {
  // An internal failure of the engine contains nothing that an agent could act on.
  if (GatewayError.isInstance(error) && !ToolError.isInstance(error)) return "The gateway failed.";
  if (error instanceof Error) return error.message;
  return typeof error === "string" && error !== "" ? error : "The tool failed.";
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value ?? null) ?? "null";
  } catch (error: unknown) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    const detail = `The tool returned something that JSON cannot carry: ${reason}`;
    throw new ToolError("INVALID_RESULT", detail, { cause: error });
  }
}

function structuredOf(value: unknown): Pick<ToolCallResult, "structured"> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { structured: value as Record<string, unknown> } : {};
}
