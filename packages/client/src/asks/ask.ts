import type { Ask, AskBody } from "@holdpoint/protocol";
import type { z } from "zod";

import { ClientError } from "../transports/client-error.ts";
import { type AskCalls, settleAsk, type SettleAskOptions } from "./settle-ask.ts";

/** The field of a choice. */
const CHOICE = "choice";

interface AnyAsk extends Pick<SettleAskOptions, "clock" | "randomness" | "signal"> {
  /** Who asks, as the person will read it. */
  readonly label: string;
  /** What is asked. */
  readonly prompt: string;
  /** How long it can be answered, in milliseconds. Default: without end. */
  readonly timeoutMs?: number;
  /** With the same key the same ask goes on, also in a program that was started again. Eight characters or more. */
  readonly key?: string;
  /**
   * Is told by one signed POST that the ask is over, also where nobody waits for it any more. A host that the gateway's config
   * does not allow is refused with `INVALID_REQUEST`, and the sentence in `extras.fieldErrors["callback.url"]`.
   */
  readonly callback?: NonNullable<AskBody["callback"]>;
}

/** Asks for a yes or no. */
export interface ApprovalAsk extends AnyAsk {
  /** What is approved, exactly. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** More words about it, shown as plain text. */
  readonly detail?: string;
  /** Whether the person may change the input. Default: no. */
  readonly editable?: boolean;
}

/** Asks to choose one. */
export interface ChoiceAsk<TChoice extends string> extends AnyAsk {
  readonly choices: readonly TChoice[];
}

/** Asks to fill in a form. */
export interface FormAsk<TSchema extends z.ZodObject> extends AnyAsk {
  /** A flat object of texts, numbers, yes or no, and choices. Text with the meta `{sensitive: true}` is masked. */
  readonly schema: TSchema;
}

/** What became of it. Only `answered` is an answer, and of an approval only that is a yes. */
export type AskOutcome<TValue> =
  | { readonly status: "answered"; readonly value: TValue; readonly by?: Ask["by"] }
  /** The person said no, or did not want to answer. */
  | { readonly status: "declined"; readonly reason?: string; readonly by?: Ask["by"] }
  /** Nobody answered in time, or it was taken back. */
  | { readonly status: "expired" | "withdrawn" };

/**
 * Asks a person, with the token of an agent, and waits for the end of it; a gateway that is gone for a while is waited for.
 * The value of an approval is the input that may run, with the person's changes. Rejects with `ProtocolError` when the
 * gateway refuses, with `ClientError` when an answer does not fit the schema, and with the reason of `signal` when that
 * aborts, which takes the ask back.
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

/** A form with one field, so that nothing but one of them is an answer. */
function choiceSchema(choices: readonly string[]): Record<string, unknown> {
  const field = { type: "string", title: "Choice", enum: [...choices] };
  return { type: "object", properties: { [CHOICE]: field }, required: [CHOICE] };
}

/**
 * What is typed is the input of the schema, and what comes back its output. Only who asks with a schema loads what reads it.
 */
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
