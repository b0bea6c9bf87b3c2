import type { Answer, ApprovalScope } from "@holdpoint/protocol";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

import { defineTool } from "./define-tool.ts";
import type { ApprovalResponse, FormResponse, QuestionResponse } from "./person-response.ts";
import type { RequestInteraction } from "./tool-context.ts";

// The compiler is the test: valid handlers get types, and misspelt ones do not compile.
const nobody = (async () => undefined) as unknown as RequestInteraction;
type Input = Readonly<Record<string, unknown>>;

test("an approval's response is typed: an approve has an input and a scope", async () => {
  const approve = async (): Promise<string | undefined> => {
    const { action, approvalScope, input, reason } = await nobody({ kind: "approval" });
    if (action !== "approve") return reason;
    expectTypeOf(input).toEqualTypeOf<Input>();
    expectTypeOf(approvalScope).toEqualTypeOf<ApprovalScope>();
    return undefined;
  };
  await expect(approve()).rejects.toThrow(TypeError);
  expectTypeOf(nobody({ kind: "approval" })).resolves.toEqualTypeOf<ApprovalResponse>();
});

test("a question's response is typed as answers or a reply", () => {
  const asked = nobody({ kind: "question", questions: [{ question: "Which?", options: ["a"] }] });
  expectTypeOf(asked).resolves.toEqualTypeOf<QuestionResponse>();
  expectTypeOf<Extract<QuestionResponse, { action: "submit" }>["answers"]>().toEqualTypeOf<
    readonly Answer[] | undefined
  >();
});

test("a form's values are typed by its schema, by its list of fields, and by zod", () => {
  const bySchema = nobody({
    kind: "form",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 10 },
        age: { type: "integer" },
        plan: { type: "string", enum: ["free", "paid"] },
        at: { type: "array", items: { anyOf: [{ const: "home" }, { const: "work" }] } },
      },
      required: ["name", "plan"],
    },
  });
  expectTypeOf(bySchema).resolves.toEqualTypeOf<
    FormResponse<{
      readonly name: string;
      readonly plan: "free" | "paid";
      readonly age?: number;
      readonly at?: readonly ("home" | "work")[];
    }>
  >();
  const byFields = nobody({
    kind: "form",
    inputSchema: {
      type: "form",
      fields: [
        { id: "day", type: "date", label: "Day", required: true },
        { id: "share", type: "number", label: "Share" },
        { id: "agree", type: "checkbox", label: "Agree", required: true },
        { id: "on", type: "radio", label: "On", options: [{ value: "x", label: "X" }] },
      ],
    },
  });
  expectTypeOf(byFields).resolves.toEqualTypeOf<
    FormResponse<{
      readonly day: string;
      readonly agree: boolean;
      readonly share?: number;
      readonly on?: "x";
    }>
  >();
  const byZod = nobody({
    kind: "form",
    inputSchema: z.object({ email: z.email(), count: z.int().default(1) }),
  });
  expectTypeOf(byZod).resolves.toEqualTypeOf<FormResponse<{ email: string; count: number }>>();
});

test("handlers determine the result type, and a timeout that leaves a request open widens nothing", () => {
  const left = nobody({
    kind: "approval",
    onTimeout: () => ({ pending: { message: "Later." } }),
  });
  expectTypeOf(left).resolves.toEqualTypeOf<ApprovalResponse>();
  const decided = nobody({
    kind: "form",
    inputSchema: z.object({ email: z.string() }),
    onResponse({ action, values }) {
      if (action !== "submit") return { complete: null };
      if (values.email === "") return { reprompt: { error: "Which one?" } };
      return { complete: { to: values.email } };
    },
    onTimeout: async () => ({ complete: "late" as const }),
  });
  expectTypeOf(decided).resolves.toEqualTypeOf<{ to: string } | null | "late">();
  const other = nobody({
    kind: "approval",
    onResponse: () => ({
      reprompt: { kind: "form", inputSchema: z.object({}), onResponse: () => ({ complete: 7 }) },
    }),
  });
  expectTypeOf(other).resolves.toEqualTypeOf<number>();
});

test("a misspelt or unsuitable request does not compile", () => {
  const calls = [
    // @ts-expect-error -- a kind that is none
    () => nobody({ kind: "riddle" }),
    // @ts-expect-error -- it is `approvalScopes`
    () => nobody({ kind: "approval", approvalScope: ["once"] }),
    // @ts-expect-error -- no scope
    () => nobody({ kind: "approval", approvalScopes: ["twice"] }),
    // @ts-expect-error -- of another kind
    () => nobody({ kind: "question", questions: [], editable: true }),
    () =>
      nobody({
        kind: "form",
        // @ts-expect-error -- no type
        inputSchema: { type: "form", fields: [{ id: "a", type: "strnig", label: "A" }] },
      }),
    () =>
      nobody({
        kind: "form",
        inputSchema: {
          type: "form",
          // @ts-expect-error -- no word of a field
          fields: [{ id: "a", type: "text", label: "A", requird: true }],
        },
      }),
    () =>
      nobody({
        kind: "form",
        // @ts-expect-error -- no type
        inputSchema: { type: "object", properties: { a: { type: "strnig" } } },
      }),
    () =>
      nobody({
        kind: "form",
        // @ts-expect-error -- no word of a text
        inputSchema: { type: "object", properties: { a: { type: "string", maxLenght: 3 } } },
      }),
    () =>
      nobody({
        kind: "form",
        // @ts-expect-error -- no field
        inputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["b"] },
      }),
    // @ts-expect-error -- neither an outcome
    () => nobody({ kind: "approval", onResponse: () => ({ compelte: 1 }) }),
    () =>
      nobody({
        // @ts-expect-error -- for none of the kinds
        kind: "approval",
        // @ts-expect-error -- other values, and no handler for them
        onResponse: () => ({ reprompt: { kind: "form", inputSchema: z.object({}) } }),
      }),
    // @ts-expect-error -- no word of a tool
    () => defineTool({ name: "a", description: "A.", parameter: {}, handler: () => 1 }),
  ];
  expect(calls).toHaveLength(12);
});

test("a field that is not asked for has no value", () => {
  const ask = async (): Promise<unknown> => {
    const { action, values } = await nobody({
      kind: "form",
      inputSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    // @ts-expect-error -- nothing was sent where it was cancelled
    const unsure: unknown = values.name;
    if (action === "cancel") return unsure;
    // @ts-expect-error -- no field
    return values.nmae;
  };
  expect(ask).toBeTypeOf("function");
});
