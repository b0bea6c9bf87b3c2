import { expect, test } from "vitest";
import { z } from "zod";

import { openProbe, valueOf } from "../testing/probe-tool.ts";

const contact = z
  .object({
    email: z.email().meta({ title: "E-mail" }),
    age: z.int().min(18).optional(),
    plan: z.enum(["free", "paid"]).default("free"),
    places: z.array(z.enum(["home", "work"])).min(1),
    site: z.url().optional(),
    born: z.iso.date().transform((day) => day.slice(0, 4)),
    pin: z.string().min(4).meta({ sensitive: true }),
  })
  .refine(({ plan, age }) => plan === "free" || age !== undefined, "Paying needs an age.");
const given = {
  email: "ada@example.org",
  places: ["home"],
  born: "1990-01-02",
  pin: "12345",
};

test("a zod object becomes a form, and its values are parsed by zod", async () => {
  const { scene, result } = await openProbe(({ requestInteraction }) =>
    requestInteraction({ kind: "form", inputSchema: contact }),
  );
  await using _ = scene;
  expect((await scene.waiting()).form?.schema).toEqual({
    type: "object",
    properties: {
      email: { type: "string", format: "email", title: "E-mail" },
      age: { type: "integer", minimum: 18 },
      plan: { type: "string", enum: ["free", "paid"], default: "free" },
      places: { type: "array", items: { type: "string", enum: ["home", "work"] }, minItems: 1 },
      site: { type: "string", format: "uri" },
      born: { type: "string", format: "date" },
      pin: { type: "string", minLength: 4, sensitive: true },
    },
    required: ["email", "places", "born", "pin"],
  });
  const refused = await scene.answer({ action: "submit", values: { ...given, age: 17 } });
  expect(refused).toMatchObject({ problem: { code: "INVALID_RESPONSE" } });
  await scene.answer({ action: "submit", values: given });
  expect(await valueOf(result)).toMatchObject({
    action: "submit",
    values: { ...given, plan: "free", born: "1990" },
  });
});

test("a value that only zod can check is asked for again, at its field, with the values kept", async () => {
  const inputSchema = z.object({
    email: z.email().refine(async (text) => !text.endsWith(".com"), "Not from there."),
    born: z.iso.date(),
  });
  const { scene, result } = await openProbe(({ requestInteraction }) =>
    requestInteraction({
      kind: "form",
      inputSchema,
      onResponse: ({ action, values }) => ({ complete: action === "submit" && values.email }),
    }),
  );
  await using _ = scene;
  const { email, born } = given;
  const bad = { email: "ada@example.com", born };
  await scene.answer({ action: "submit", values: bad });
  expect(await scene.waiting()).toMatchObject({
    attempt: 2,
    fieldErrors: { email: "Not from there." },
    form: { initialValues: bad },
  });
  await scene.answer({ action: "submit", values: { email, born } });
  expect(await valueOf(result)).toBe("ada@example.org");
});

test("[R-5] a cancelled form is not read, and a check that throws fails the call", async () => {
  const inputSchema = z.object({ name: z.string().optional() }).refine(() => {
    throw new Error("The list of names is gone.");
  });
  const { scene, result } = await openProbe(async ({ requestInteraction }) => {
    const first = await requestInteraction({ kind: "form", inputSchema });
    return [first, await requestInteraction({ kind: "form", inputSchema })];
  });
  await using _ = scene;
  await scene.answer({ action: "cancel" });
  await scene.answer({ action: "submit", values: {} });
  expect(await valueOf(result)).toMatchObject({ message: "The list of names is gone." });
  expect(await scene.interactions("pending")).toEqual([]);
});

test.each([
  ["of dates", z.object({ at: z.date() }), /cannot be shown as a form/],
  ["inside another", z.object({ deep: z.object({ a: z.string() }) }), /form cannot be shown/],
  ["that is not an object", z.string() as never, /form cannot be shown/],
])("a zod schema %s is refused", async (_name, inputSchema, message) => {
  const { scene, result } = await openProbe(({ requestInteraction }) =>
    requestInteraction({ kind: "form", inputSchema: inputSchema as z.ZodObject }),
  );
  await using _ = scene;
  expect(await valueOf(result)).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(message) as string,
  });
});
