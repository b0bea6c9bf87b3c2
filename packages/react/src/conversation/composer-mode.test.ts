import type { SessionView } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { toComposerMode } from "./composer-mode.ts";

function view(
  status: SessionView["status"],
  interactions: readonly Partial<Interaction>[] = [],
): Pick<SessionView, "status" | "interactions"> {
  return {
    status,
    interactions: new Map(interactions.map((one, index) => [String(index), one as Interaction])),
  };
}
const question = { kind: "question", status: "pending" } as const;

describe("what sending does", () => {
  test("in an idle session it sends", () => {
    expect(toComposerMode(view("idle"), true).type).toBe("send");
  });

  test.each(["running", "waiting", "parked"] as const)("in a %s session it queues", (status) => {
    expect(toComposerMode(view(status), true).type).toBe("queue");
  });

  test("with exactly one question waiting the person chooses", () => {
    expect(toComposerMode(view("waiting", [question]), true).type).toBe("choose");
  });

  const form = (...fields: readonly object[]): Partial<Interaction> =>
    ({
      kind: "form",
      status: "pending",
      form: { schema: { type: "object", properties: Object.fromEntries(fields.entries()) } },
    }) as unknown as Partial<Interaction>;

  test("with a form of one text, as `ask_user` asks, the person chooses, too", () => {
    expect(toComposerMode(view("waiting", [form({ type: "string" })]), true).type).toBe("choose");
  });

  test.each([
    ["of two texts", form({ type: "string" }, { type: "string" })],
    ["of a number", form({ type: "number" })],
    ["of a secret", form({ type: "string", sensitive: true })],
    ["of nothing", form()],
  ])("with a form %s it queues", (_what, asked) => {
    expect(toComposerMode(view("waiting", [asked]), true).type).toBe("queue");
  });

  test("beside a question that was queued it does what it does without one", () => {
    const queued = { ...question, hold: "queued" } as const;
    expect(toComposerMode(view("idle", [queued]), true).type).toBe("send");
    expect(toComposerMode(view("running", [queued]), true).type).toBe("queue");
    const mode = toComposerMode(view("waiting", [queued, question]), true);
    expect(mode).toEqual({ type: "choose", question });
  });

  test.each([
    ["two questions", [question, question]],
    ["an approval", [{ kind: "approval", status: "pending" } as const]],
    ["an answered question", [{ kind: "question", status: "answered" } as const]],
  ])("with %s it queues", (_name, interactions) => {
    expect(toComposerMode(view("waiting", interactions), true).type).toBe("queue");
  });

  test("[R-13] where this client may not answer it only queues", () => {
    expect(toComposerMode(view("waiting", [question]), false).type).toBe("queue");
  });
});
