import type { ElicitationRequest } from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest, HoldResult } from "@holdpoint/engine";
import { parseFormSchema } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { toElicitationForm } from "./elicitation-form.ts";
import { Elicitations, type ElicitationTurn } from "./elicitation.ts";

const call = { toolCallId: "toolu_1", toolName: "mcp__files__elicit" };

/** A turn in which the person acts like this, and the messages to the session. */
function aTurn(hold: (request: HoldRequest) => Promise<HoldResult>, more = {}) {
  const complaints: string[] = [];
  const turn: ElicitationTurn = {
    findCall: () => Promise.resolve(call),
    hold,
    handingOver: () => undefined,
    tellNotAsked: (message) => {
      complaints.push(message);
      return Promise.resolve();
    },
    ...more,
  };
  return { elicitations: new Elicitations(turn), complaints };
}

const nobody = () => Promise.reject(new Error("Nobody was to be asked."));
const ask = (elicitations: Elicitations, request: Partial<ElicitationRequest>) =>
  elicitations.ask({
    request: { serverName: "files", message: "Hm?", ...request },
    requestId: "r1",
    signal: new AbortController().signal,
  });

/** A schema so deep that it cannot be written down. */
function deep(): Record<string, unknown> {
  let inner: Record<string, unknown> = {};
  for (let depth = 0; depth < 100_000; depth += 1) inner = { properties: inner };
  return inner;
}

describe("[R-5] an MCP server's request that cannot be shown", () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, n) => [`field_${n}`, { type: "string", title: "x" }]),
  );
  test.each<[string, Partial<ElicitationRequest>]>([
    ["10,000 fields", { requestedSchema: { type: "object", properties: many } }],
    ["a schema that is too deep", { requestedSchema: deep() }],
    ["a message without end", { message: "x".repeat(300_000) }],
    ["another kind of request", { mode: "voice" as never }],
  ])("is cancelled before anyone is asked: %s", async (_, request) => {
    const { elicitations, complaints } = aTurn(nobody);
    expect(await ask(elicitations, request)).toEqual({ action: "cancel" });
    expect(complaints).toEqual([expect.stringMatching(/^files: \S/u)]);
    expect(complaints[0]!.length).toBeLessThan(500);
    expect(complaints[0]).not.toContain("Nobody was to be asked");
  });

  test("is cancelled when the gateway refuses it, and when the turn was stopped", async () => {
    const refused = aTurn(async () => ({
      outcome: "withdrawn",
      code: "INVALID_REQUEST",
      reason: `Not a form: ${"x".repeat(1000)}`,
    }));
    expect(await ask(refused.elicitations, {})).toEqual({ action: "cancel" });
    expect(refused.complaints[0]!.length).toBeLessThan(500);
    const stopped = aTurn(async () => ({ outcome: "withdrawn", reason: "Stopped." }));
    expect(await ask(stopped.elicitations, {})).toEqual({ action: "cancel" });
    expect(stopped.complaints).toEqual([]);
  });

  test("is cancelled while none of the server's tools runs", async () => {
    const { elicitations, complaints } = aTurn(nobody, {
      findCall: () => Promise.resolve(undefined),
    });
    expect(await ask(elicitations, {})).toEqual({ action: "cancel" });
    expect(complaints).toHaveLength(1);
  });
});

test("a completion from another server, or for another visit, is ignored", async () => {
  let signal: AbortSignal | undefined;
  const { elicitations } = aTurn(nobody, {
    hold: (_: HoldRequest, options: { signal: AbortSignal }) => {
      signal = options.signal;
      return new Promise<HoldResult>(() => undefined);
    },
  });
  void ask(elicitations, { mode: "url", url: "https://example.com", elicitationId: "a" });
  await expect.poll(() => signal).toBeDefined();
  elicitations.complete("other", "a");
  elicitations.complete("files", "b");
  expect(signal?.aborted).toBe(false);
  elicitations.complete("files", "a");
  expect(signal?.reason).toMatchObject({ message: "files says that this is done." });
});

describe("[R-19] a secret", () => {
  const text = { type: "string" };
  const submitted = async (): Promise<HoldResult> => ({
    outcome: "answered",
    interactionId: "int_1",
    response: { action: "submit" },
    values: {},
    delivered: () => Promise.resolve(),
  });

  test.each<[string, object]>([
    ["password", text],
    ["apiKey", text],
    ["api_key", text],
    ["GITHUB_TOKEN", text],
    ["accesstoken", text],
    ["access_tokens", text],
    ["x", { ...text, title: "Client secret" }],
    ["x", { ...text, title: "AWS secret access key" }],
    ["login", { ...text, title: "Your credentials" }],
    ["PIN", text],
    ["otp", { type: "integer" }],
    ["card_cvv", { type: "number" }],
    ["passwd", { ...text, minLength: 8, description: "x" }],
  ])("is never asked for in a form: %s of %j", async (name, field) => {
    const { elicitations, complaints } = aTurn(nobody);
    const properties = { note: { type: "string" }, [name]: field };
    const requestedSchema = { type: "object", properties };
    expect(await ask(elicitations, { requestedSchema })).toEqual({ action: "cancel" });
    expect(complaints).toEqual([
      "files: It asked for a secret in a form, which MCP forbids. It must ask on its own web page instead.",
    ]);
  });

  test.each<[string, object]>([
    ["email", { ...text, format: "email" }],
    ["name", text],
    ["username", text],
    ["amount", { type: "number" }],
    ["passport", { ...text, title: "Passport number" }],
    ["token_count", text],
    ["max_tokens", text],
    ["max_tokens", { type: "integer" }],
    ["token", { type: "integer", title: "Tokens" }],
    ["token", { ...text, enum: ["a"] }],
    ["tokenizer", text],
    ["secretary", text],
    ["secret_name", text],
    ["private_key_path", text],
    ["password_length", { type: "integer" }],
    ["save_password", { type: "boolean" }],
    ["opinion", text],
    ["pin", { type: "integer", title: "GPIO pin" }],
    ["spinner", text],
  ])("is not mistaken for an ordinary field: %s of %j", async (name, field) => {
    const { elicitations, complaints } = aTurn(submitted);
    const requestedSchema = { type: "object", properties: { [name]: field } };
    expect(await ask(elicitations, { requestedSchema })).toMatchObject({ action: "accept" });
    expect(complaints).toEqual([]);
  });

  test("may be asked for on the server's page", async () => {
    const { elicitations, complaints } = aTurn(submitted);
    const page = { mode: "url", url: "https://example.com/password", title: "Password" } as const;
    expect(await ask(elicitations, page)).toMatchObject({ action: "accept" });
    expect(complaints).toEqual([]);
  });
});

describe("the form that an MCP server asks for", () => {
  const schemaOf = (properties: unknown, frame = {}) =>
    toElicitationForm(
      {
        serverName: "files",
        message: "",
        requestedSchema: { type: "object", properties, ...frame },
      },
      "r1",
    ).schema;

  test("loses only annotations, and keeps every rule", () => {
    const schema = schemaOf(
      { a: { type: "string", minLength: 2, examples: ["x"], "x-hint": 1, default: "ab" } },
      { $id: "form", additionalProperties: false, required: ["a"] },
    );
    expect(parseFormSchema(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string", minLength: 2, default: "ab" } },
      required: ["a"],
    });
  });

  test.each<[string, unknown]>([
    ["a nested object", { a: { type: "object", properties: {} } }],
    ["an unsupported rule", { a: { type: "string", not: { const: "x" } } }],
    ["a reference", { a: { $ref: "#/x" } }],
    ["a name that reaches the prototype", JSON.parse('{"__proto__":{"type":"string"}}')],
    ["another such name", { constructor: { type: "string" } }],
    ["fields that are not an object", ["a"]],
    ["no fields at all", null],
  ])("is refused with %s", (_, properties) => {
    expect(() => parseFormSchema(schemaOf(properties))).toThrow("cannot be shown");
    expect(Object.prototype).not.toHaveProperty("type");
  });

  test.each(["password", "apiKey", "api_key", "GITHUB_TOKEN", "Client secret", "pin", "passwd"])(
    "[R-19] hides what is typed into %s",
    (name) => {
      const byName = schemaOf({ [name]: { type: "string", default: "x", multiline: true } });
      const byTitle = schemaOf({ a: { type: "string", title: name } });
      expect(parseFormSchema(byName).properties[name]).toEqual({ type: "string", sensitive: true });
      expect(parseFormSchema(byTitle).properties["a"]).toMatchObject({ sensitive: true });
    },
  );

  test.each([
    ["opinion", { type: "string" }],
    ["secretary", { type: "string" }],
    ["max_tokens", { type: "integer" }],
    ["token", { type: "string", enum: ["a"] }],
  ])("shows what is typed into %s of %j", (name, field) => {
    expect(schemaOf({ [name]: field })).toEqual({ type: "object", properties: { [name]: field } });
  });
});

describe("a harmless mistake in a server's form", () => {
  const field = (schema: Record<string, unknown>, frame: Record<string, unknown> = {}) => {
    const requestedSchema = { type: "object", properties: { c: schema }, ...frame };
    const request = { serverName: "files", message: "x", requestedSchema };
    const { properties, required } = toElicitationForm(request, "req").schema as {
      properties: Record<string, unknown>;
      required?: unknown;
    };
    return { field: properties["c"], required };
  };
  const letters = { type: "string", enum: ["a", "b"] };

  test.each<[string, Record<string, unknown>, unknown]>([
    ["a default that is no choice", { ...letters, default: "Letter A" }, letters],
    ["a default that is a choice", { ...letters, default: "a" }, { ...letters, default: "a" }],
    ["too few names", { ...letters, enumNames: ["A"] }, letters],
    ["as many names", { ...letters, enumNames: ["A", "B"] }, { ...letters, enumNames: ["A", "B"] }],
    [
      "a default that is no titled choice",
      { type: "string", oneOf: [{ const: "a" }], default: "b" },
      { type: "string", oneOf: [{ const: "a" }] },
    ],
    [
      "a default of several, one of which is no choice",
      { type: "array", items: letters, default: ["a", "z"] },
      { type: "array", items: letters },
    ],
    ["a default of free text", { type: "string", default: "x" }, { type: "string", default: "x" }],
  ])("%s", (_, schema, shown) => {
    expect(field(schema).field).toEqual(shown);
  });

  test("required names without a field, and duplicate required names", () => {
    expect(field(letters, { required: ["c", "toString", "c", 5] }).required).toEqual(["c"]);
    expect(field(letters).required).toBeUndefined();
  });
});
