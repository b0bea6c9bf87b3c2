import type { Question, RespondBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { validateResponse } from "./validate-response.ts";

const single: Question = {
  id: "color",
  header: "Color",
  question: "Which color?",
  multiSelect: false,
  options: [
    { id: "r", label: "Red" },
    { id: "b", label: "Blue" },
  ],
};
const multi: Question = { ...single, id: "sizes", multiSelect: true };
const question = { kind: "question" as const, questions: [single, multi] };
const approval = {
  kind: "approval" as const,
  approval: {
    input: { command: "ls" },
    cwd: "/w",
    display: {},
    digest: "d1",
    scopes: ["once", "session"] as ("once" | "session" | "always")[],
    scopeText: {},
    editable: false,
  },
};
const form = {
  kind: "form" as const,
  form: {
    schema: {
      type: "object" as const,
      properties: { name: { type: "string" as const } },
      required: ["name"],
    },
  },
};

function errorsOf(body: RespondBody, subject: Parameters<typeof validateResponse>[1]): string[] {
  const result = validateResponse(body, subject);
  return result.status === "invalid" ? Object.keys(result.fieldErrors) : [result.status];
}

function responseOf(body: RespondBody, subject: Parameters<typeof validateResponse>[1]) {
  const result = validateResponse(body, subject);
  return result.status === "valid" ? result.response : result;
}

describe("an approval", () => {
  test("[R-6] needs the digest that was shown", () => {
    expect(errorsOf({ action: "approve" }, approval)).toEqual(["digest"]);
    expect(errorsOf({ action: "approve", digest: "d2" }, approval)).toEqual(["digest_mismatch"]);
    expect(responseOf({ action: "approve", digest: "d1" }, approval)).toEqual({
      action: "approve",
      approvalScope: "once",
    });
  });

  test("[R-11] accepts only a scope that was offered", () => {
    const body = { action: "approve", digest: "d1" } as const;
    expect(errorsOf({ ...body, approvalScope: "always" }, approval)).toEqual(["approvalScope"]);
    expect(responseOf({ ...body, approvalScope: "session" }, approval)).toMatchObject({
      approvalScope: "session",
    });
  });

  test("[R-11] accepts an edited input only if it can be edited", () => {
    const body = { action: "approve", digest: "d1", editedInput: { command: "pwd" } } as const;
    expect(errorsOf(body, approval)).toEqual(["editedInput"]);
    const editable = { ...approval, approval: { ...approval.approval, editable: true } };
    expect(responseOf(body, editable)).toMatchObject({ editedInput: { command: "pwd" } });
  });

  test("[R-6] covers only the edited call, whatever scope comes with an edit", () => {
    const editable = { ...approval, approval: { ...approval.approval, editable: true } };
    const editedInput = { command: "pwd" };
    const body = {
      action: "approve",
      digest: "d1",
      approvalScope: "session",
      editedInput,
    } as const;
    expect(responseOf(body, editable)).toMatchObject({ approvalScope: "once" });
  });

  test("[R-11] a cancel is stored as a denial, never as consent", () => {
    expect(responseOf({ action: "cancel" }, approval)).toEqual({ action: "deny" });
  });

  test("a denial carries its reason, and needs no digest", () => {
    const body = { action: "deny", reason: " too risky ", stopTurn: true } as const;
    expect(responseOf(body, approval)).toEqual({
      action: "deny",
      reason: "too risky",
      stopTurn: true,
    });
  });

  test("[R-11] accepts nothing that belongs to another kind", () => {
    const body = { action: "approve", digest: "d1", reply: "ok" } as const;
    expect(errorsOf(body, approval)).toEqual(["reply"]);
    expect(errorsOf({ action: "submit" }, approval)).toEqual(["action"]);
    expect(errorsOf({ action: "deny", editedInput: {} }, approval)).toEqual(["editedInput"]);
  });
});

describe("[R-11] a form", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } } as const;
  const ofAgent = { kind: "form", form: { schema } } as const;
  const ofServer = {
    kind: "form",
    form: { schema, server: { name: "s", requestId: "1" } },
  } as const;

  test("accepts a no only for an MCP server, which gets nothing else", () => {
    expect(errorsOf({ action: "deny" }, ofAgent)).toEqual(["action"]);
    expect(responseOf({ action: "deny", stopTurn: true }, ofServer)).toEqual({
      action: "deny",
      stopTurn: true,
    });
    expect(errorsOf({ action: "deny", values: { a: "x" } }, ofServer)).toEqual(["values"]);
    expect(errorsOf({ action: "deny", reason: "x" }, ofServer)).toEqual(["reason"]);
    expect(errorsOf({ action: "approve", digest: "d" }, ofServer)).toEqual(["action"]);
  });
});

describe("a question", () => {
  const answers = [
    { questionId: "sizes", selected: ["r", "b"], other: "huge" },
    { questionId: "color", selected: ["b"] },
  ];

  test("is answered whole, and stored in the order of the questions", () => {
    expect(responseOf({ action: "submit", answers }, question)).toEqual({
      action: "submit",
      answers: [answers[1], answers[0]],
    });
  });

  test("[R-11] every question needs an answer", () => {
    expect(errorsOf({ action: "submit" }, question)).toEqual(["answers.color", "answers.sizes"]);
    const blank = [answers[0]!, { questionId: "color", selected: [], other: "  " }];
    expect(errorsOf({ action: "submit", answers: blank }, question)).toEqual(["answers.color"]);
  });

  test("[R-11] only offered options count, each once", () => {
    for (const selected of [["green"], ["r", "green"], ["r", "r"], ["Red"]]) {
      const wrong = [answers[1]!, { questionId: "sizes", selected }];
      expect(errorsOf({ action: "submit", answers: wrong }, question)).toEqual(["answers.sizes"]);
    }
  });

  test("[R-11] a single choice is exactly one: an option or free text", () => {
    for (const choice of [{ selected: ["r", "b"] }, { selected: ["r"], other: "teal" }]) {
      const wrong = [answers[0]!, { questionId: "color", ...choice }];
      expect(errorsOf({ action: "submit", answers: wrong }, question)).toEqual(["answers.color"]);
    }
    const own = [answers[0]!, { questionId: "color", selected: [], other: "teal" }];
    expect(responseOf({ action: "submit", answers: own }, question)).toMatchObject({
      answers: [{ questionId: "color", selected: [], other: "teal" }, answers[0]],
    });
  });

  test("[R-11] unknown and repeated questions are refused", () => {
    const extra = [...answers, { questionId: "shape", selected: [] }];
    expect(errorsOf({ action: "submit", answers: extra }, question)).toEqual(["answers.shape"]);
    const twice = [...answers, answers[1]!];
    expect(errorsOf({ action: "submit", answers: twice }, question)).toEqual(["answers.color"]);
  });

  test("a reply answers the whole card", () => {
    expect(responseOf({ action: "submit", reply: "You choose." }, question)).toEqual({
      action: "submit",
      reply: "You choose.",
    });
    expect(errorsOf({ action: "submit", reply: " " }, question)).toEqual(["reply"]);
    expect(errorsOf({ action: "submit", reply: "x", answers }, question)).toEqual(["answers"]);
  });

  test("can be skipped, but neither approved nor denied", () => {
    expect(responseOf({ action: "cancel" }, question)).toEqual({ action: "cancel" });
    expect(errorsOf({ action: "approve" }, question)).toEqual(["action"]);
    expect(errorsOf({ action: "deny" }, question)).toEqual(["action"]);
  });
});

describe("a form", () => {
  test("[R-11] accepts known fields and needs all required ones", () => {
    expect(errorsOf({ action: "submit", values: { other: 1 } }, form)).toEqual([
      "values.other",
      "values.name",
    ]);
    expect(responseOf({ action: "submit", values: { name: "x" } }, form)).toEqual({
      action: "submit",
      values: { name: "x" },
    });
    expect(responseOf({ action: "cancel" }, form)).toEqual({ action: "cancel" });
    expect(errorsOf({ action: "approve" }, form)).toEqual(["action"]);
  });
});

describe("[R-11] a limit of an approval", () => {
  const limitable = {
    ...approval,
    approval: { ...approval.approval, editable: true, canLimit: true as const },
  };
  const grantLimit = { uses: 3 };
  const refused = { status: "invalid", fieldErrors: { grantLimit: expect.any(String) } };
  const approve = (body: Partial<RespondBody>, asked: typeof approval = limitable) =>
    validateResponse({ action: "approve", digest: "d1", grantLimit, ...body }, asked);

  test("is accepted for an approval for longer", () => {
    expect(approve({ approvalScope: "session" })).toMatchObject({
      status: "valid",
      response: { approvalScope: "session", grantLimit },
    });
  });

  test("is refused for an edited approval, which is for one call", () => {
    const editedInput = { command: "ls -l" };
    expect(approve({ approvalScope: "session", editedInput })).toMatchObject(refused);
  });

  test("is refused for an edit, by time as by number", () => {
    const editedInput = { command: "ls -l" };
    const byTime = { grantLimit: { forMs: 60_000 }, approvalScope: "session" as const };
    expect(approve({ ...byTime, editedInput })).toMatchObject(refused);
    expect(approve(byTime)).toMatchObject({ status: "valid" });
  });

  test.each<Partial<RespondBody>>([{}, { approvalScope: "once" }])(
    "is refused for an approval of one call: %j",
    (body) => {
      expect(approve(body)).toMatchObject(refused);
    },
  );

  test("is refused if none was offered", () => {
    expect(approve({ approvalScope: "session" }, approval)).toMatchObject(refused);
  });

  test("is refused if none was offered, even with a scope that was", () => {
    const scopes = ["once", "session", "always"] as ("once" | "session" | "always")[];
    const asked = { ...approval, approval: { ...approval.approval, scopes } };
    expect(approve({ approvalScope: "always" }, asked)).toMatchObject(refused);
  });
});

describe("[R-6] an edit", () => {
  const editable = { ...approval, approval: { ...approval.approval, editable: true } };
  const editedInput = { command: "ls -l" };

  test.each(["once", "session"] as const)(
    "is for one call, even if approved %s",
    (approvalScope) => {
      const body = { action: "approve" as const, digest: "d1", approvalScope, editedInput };
      expect(validateResponse(body, editable)).toMatchObject({
        status: "valid",
        response: { approvalScope: "once", editedInput },
      });
    },
  );

  test("is refused with the digest of another input", () => {
    const body = { action: "approve" as const, digest: "d2", editedInput };
    expect(validateResponse(body, editable)).toEqual({ status: "digest_mismatch" });
  });
});
