import { describe, expect, test } from "vitest";

import { openProbe, valueOf } from "../testing/probe-tool.ts";
import { checkRequest } from "./check-request.ts";
import type { RequestInteraction } from "./tool-context.ts";

/** As code that no compiler has checked. */
async function outcomeOf(request: unknown): Promise<unknown> {
  const { scene, result } = await openProbe(({ requestInteraction }) =>
    (requestInteraction as (request: unknown) => ReturnType<RequestInteraction>)(request),
  );
  await using _ = scene;
  expect(await scene.interactions("pending")).toEqual([]);
  return await valueOf(result);
}

const refused = (message: RegExp) => ({
  status: "error",
  code: "INVALID_REQUEST",
  message: expect.stringMatching(message) as string,
});
const asked = (question: object) => ({ kind: "question", questions: [question] });
const fields = (...list: unknown[]) => ({
  kind: "form",
  inputSchema: { type: "form", fields: list },
});

describe("an unknown property of a request is refused by its name, and no one is asked", () => {
  test.each([
    [
      { kind: "approval", approvalScope: ["once"] },
      /`request` has no "approvalScope"; .*approvalScopes/,
    ],
    [{ kind: "question", questions: [], editable: true }, /no "editable"/],
    [{ kind: "approval", display: { titel: "x" } }, /`display` has no "titel".*title/],
    [{ kind: "approval", scopeText: { forever: "x" } }, /`scopeText` has no "forever"/],
    [{ kind: "approval", completedView: { summary: "" } }, /`completedView` has no "summary"/],
    [{ kind: "approval", change: { path: "a", after: "", befor: "" } }, /`change` has no "befor"/],
    [asked({ question: "?", option: [] }), /`questions\[0\]` has no "option"/],
    [
      asked({ question: "?", options: ["a", { label: "b", preveiw: {} }] }),
      /`questions\[0\]\.options\[1\]` has no "preveiw"/,
    ],
    [fields({ id: "a", type: "strnig", label: "A" }), /field a has a `type` that is none of text/],
    [fields({ id: "a", type: "text", label: "A", requird: true }), /field a .* "requird"/],
    [fields(null), /`fields\[0\]` is not an object/],
    [fields({ type: "text" }), /`fields\[0\]` has no `id`/],
  ])("[R-11] %j", async (request, message) => {
    expect(await outcomeOf(request)).toMatchObject(refused(message));
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "[R-11] even if every object has it: %s",
    async (name) => {
      const request: unknown = JSON.parse(`{ "kind": "approval", "${name}": {} }`);
      expect(await outcomeOf(request)).toMatchObject(refused(new RegExp(`no "${name}"`)));
      const field: unknown = JSON.parse(
        `{ "id": "a", "type": "text", "label": "A", "${name}": 1 }`,
      );
      expect(await outcomeOf(fields(field))).toMatchObject(refused(new RegExp(`"${name}"`)));
      const type = { id: "a", type: name, label: "A" };
      expect(await outcomeOf(fields(type))).toMatchObject(refused(/`type` that is none/));
      expect(await outcomeOf({ kind: name })).toMatchObject(refused(/`kind` must be approval/));
    },
  );

  test.each([undefined, null, "approval", 7, []])("an invalid request: %j", async (request) => {
    expect(await outcomeOf(request)).toMatchObject({ code: "INVALID_REQUEST" });
  });
});

test("a reprompt with an unknown property ends the call, and nothing stays open", async () => {
  const { scene, result } = await openProbe(({ requestInteraction }) =>
    requestInteraction({
      kind: "approval",
      onResponse: () => ({ reprompt: { eror: "Again.", error: "Again." } as object }),
    }),
  );
  await using _ = scene;
  await scene.answer({ action: "deny" });
  expect(await valueOf(result)).toMatchObject(refused(/`reprompt` has no "eror"/));
  expect(await scene.interactions("pending")).toEqual([]);
});

describe("a placeholder of the summary", () => {
  const view = (summaryTemplate: string) => ({ completedView: { summaryTemplate } });
  const questions = [
    { question: "A?", options: [] },
    { id: "way", question: "B?", options: [] },
  ];
  const properties = { email: { type: "string" } };
  const form = { kind: "form", inputSchema: { type: "object", properties } };
  const check = (request: object) => () => checkRequest(request as never);

  test.each<[object, string, RegExp]>([
    [
      { kind: "approval", ...view("{{action}}: {{way}}") },
      "approval",
      /no {{way}}.*{{action}}, {{reason}}/,
    ],
    [{ kind: "question", questions, ...view("{{q2}}") }, "question", /no {{q2}}.*{{q1}}, {{way}}/],
    [{ ...form, ...view("{{ mail }}") }, "form", /no {{mail}}.*{{action}}, {{email}}/],
    [{ ...form, ...view("{{reason}}") }, "form without reasons", /no {{reason}}/],
    [{ kind: "approval", ...view("{{}}") }, "nothing", /no {{}}/],
  ])("is refused in %j (%s) if nothing replaces it", (request, _, message) => {
    expect(check(request)).toThrow(message);
  });

  test.each<[object]>([
    [{ kind: "approval", ...view("{{ action }}: {{reason}} {way}") }],
    [{ kind: "question", questions, ...view("{{q1}} {{way}} {{action}}") }],
    [{ ...form, ...view("{{email}} {{action}}") }],
    [{ kind: "form", inputSchema: { _zod: {} }, ...view("{{unknown_here}}") }],
  ])("is accepted in %j", (request) => {
    expect(check(request)).not.toThrow();
  });
});
