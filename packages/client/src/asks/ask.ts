import type { Ask, AskBody } from "@holdpoint/protocol";
import type { z } from "zod";

import { ClientError } from "../transports/client-error.ts";
import { type AskCalls, settleAsk, type SettleAskOptions } from "./settle-ask.ts";

/** The field that holds the choice. */
const CHOICE = "choice";

interface AnyAsk extends Pick<SettleAskOptions, "clock" | "randomness" | "signal"> {
  /** The name of the requester, shown to the person. */
  readonly label: string;
  /** The question. */
  readonly prompt: string;
  /** How long the ask can be answered, in milliseconds. Default: forever. */
  readonly timeoutMs?: number;
  /** An idempotency key of at least eight characters. The same key continues the same ask, even after a restart. */
  readonly key?: string;
  /**
   * Where to send one signed POST when the ask is over, even if no one is waiting for it. A host that the gateway's
   * config does not allow is refused with `INVALID_REQUEST` and an explanation in `extras.fieldErrors["callback.url"]`.
   */
  readonly callback?: NonNullable<AskBody["callback"]>;
}

/** Asks a yes-or-no question. */
export interface ApprovalAsk extends AnyAsk {
  /** The exact input to approve. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Further explanation, shown as plain text. */
  readonly detail?: string;
  /** Whether the person may change the input. Default: no. */
  readonly editable?: boolean;
}

/** Asks to choose one of several texts. */
export interface ChoiceAsk<TChoice extends string> extends AnyAsk {
  readonly choices: readonly TChoice[];
}

/** Asks to fill in a form. */
export interface FormAsk<TSchema extends z.ZodObject> extends AnyAsk {
  /** A flat object of strings, numbers, booleans and choices. Strings with the meta `{sensitive: true}` are masked. */
  readonly schema: TSchema;
}

/** The outcome of an ask. `answered` is the only status with an answer, and the only one that grants an approval. */
export type AskOutcome<TValue> =
  | { readonly status: "answered"; readonly value: TValue; readonly by?: Ask["by"] }
  /** The person said no, or chose not to answer. */
  | { readonly status: "declined"; readonly reason?: string; readonly by?: Ask["by"] }
  /** No one answered in time, or the ask was withdrawn. */
  | { readonly status: "expired" | "withdrawn" };

/**
 * Asks a person and waits for the outcome, even while the gateway is unreachable. Needs the token of an agent. The
 * value of an approval is the input that may run, including the person's changes. Rejects with `ProtocolError` when the
 * gateway refuses, with `ClientError` when an answer does not match the schema, and with the reason of `signal` when it
 * aborts, which also withdraws the ask.
 */
export function ask<TSchema extends z.ZodObject>(
  gateway: AskCalls,
  asked: FormAsk<TSchema>,
): Promise<AskOutcome<z.output<TSchema>>>;
export function ask<const TChoice extends string>(
  gateway: AskCalls,
  asked: ChoiceAsk<TChoice>,
): Promise<AskOutcome<TChoice>>;
export function ask(
  gateway: AskCalls,
  asked: ApprovalAsk,
): Promise<AskOutcome<Readonly<Record<string, unknown>>>>;
export async function ask(
  gateway: AskCalls,
  asked: ApprovalAsk | ChoiceAsk<string> | FormAsk<z.ZodObject>,
): Promise<AskOutcome<unknown>> {
  const { signal, clock, randomness } = asked;
  const ended = await settleAsk(gateway, await toBody(asked), { signal, clock, randomness });
  const { response, by } = ended;
  const who = by && { by };
  switch (response?.action) {
    case "approve":
    case "submit":
      return { status: "answered", value: await readValue(asked, ended), ...who };
    case "deny":
    case "cancel": {
      const { reason } = response;
      return { status: "declined", ...(reason !== undefined && { reason }), ...who };
    }
    case undefined:
      return { status: ended.status === "withdrawn" ? "withdrawn" : "expired" };
  }
}

async function toBody(
  asked: ApprovalAsk | ChoiceAsk<string> | FormAsk<z.ZodObject>,
): Promise<AskBody> {
  const { label, prompt, timeoutMs, key, callback } = asked;
  const common = {
    label,
    prompt,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(callback && { callback }),
  };
  if ("schema" in asked) {
    return { kind: "form", ...common, inputSchema: await toFormSchema(asked.schema) };
  }
  if ("choices" in asked) {
    const { choices } = asked;
    return { kind: "form", ...common, inputSchema: choiceSchema(choices) };
  }
  const { input, detail, editable } = asked;
  return {
    kind: "approval",
    ...common,
    ...(input && { input }),
    ...(detail !== undefined && { display: { description: detail } }),
    ...(editable !== undefined && { editable }),
  };
}

/** Builds a form with a single required field, so that only one of the choices is a valid answer. */
function choiceSchema(choices: readonly string[]): Record<string, unknown> {
  const field = { type: "string", title: "Choice", enum: [...choices] };
  return { type: "object", properties: { [CHOICE]: field }, required: [CHOICE] };
}

/** Converts the schema's input side to a form. Loads `zod` only for asks that have a schema. */
async function toFormSchema(schema: z.ZodObject): Promise<Record<string, unknown>> {
  const { toJSONSchema } = await import("zod");
  const { $schema: _, additionalProperties: __, ...form } = toJSONSchema(schema, { io: "input" });
  return form;
}

async function readValue(
  asked: ApprovalAsk | ChoiceAsk<string> | FormAsk<z.ZodObject>,
  { input, response }: Ask,
): Promise<unknown> {
  if ("schema" in asked) {
    const result = await asked.schema.safeParseAsync(response?.values);
    if (result.success) return result.data;
    throw new ClientError("BAD_ANSWER", "The answer does not fit the schema.", {
      cause: result.error,
    });
  }
  return "choices" in asked ? response?.values?.[CHOICE] : (input ?? {});
}
