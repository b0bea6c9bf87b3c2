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

describe("the effect of sending", () => {
  test("is a message in an idle session", () => {
    expect(toComposerMode(view("idle"), true).type).toBe("send");
  });

  test.each(["running", "waiting", "parked"] as const)(
    "is a queued message in a %s session",
    (status) => {
      expect(toComposerMode(view(status), true).type).toBe("queue");
    },
  );

  test("is the person's choice with exactly one open question", () => {
    expect(toComposerMode(view("waiting", [question]), true).type).toBe("choose");
  });

  const form = (...fields: readonly object[]): Partial<Interaction> =>
    ({
      kind: "form",
      status: "pending",
      form: { schema: { type: "object", properties: Object.fromEntries(fields.entries()) } },
    }) as unknown as Partial<Interaction>;

  test("is the person's choice with a form of one text, as `ask_user` asks, too", () => {
    expect(toComposerMode(view("waiting", [form({ type: "string" })]), true).type).toBe("choose");
  });

  test.each([
    ["of two texts", form({ type: "string" }, { type: "string" })],
    ["of a number", form({ type: "number" })],
    ["of a secret", form({ type: "string", sensitive: true })],
    ["of nothing", form()],
  ])("is a queued message with a form %s", (_what, asked) => {
    expect(toComposerMode(view("waiting", [asked]), true).type).toBe("queue");
  });

  test("is unchanged by a queued question", () => {
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
  ])("is a queued message with %s", (_name, interactions) => {
    expect(toComposerMode(view("waiting", interactions), true).type).toBe("queue");
  });

  test("[R-13] is only a queued message if this client may not answer", () => {
    expect(toComposerMode(view("waiting", [question]), false).type).toBe("queue");
  });
});
