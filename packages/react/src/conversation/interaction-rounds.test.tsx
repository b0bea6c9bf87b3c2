// @vitest-environment happy-dom
import type { Interaction } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

// The card is loaded on first use, which a busy machine may take long for.
import "../cards/form/form-card.tsx";
import "../cards/form/form-values.tsx";
import {
  aFormInteraction,
  anApprovalInteraction,
  aQuestionInteraction,
  aResponder,
} from "../testing/interactions.ts";
import {
  renderConversation,
  stubLayout,
  toLog,
  type Bodies,
} from "./testing/render-conversation.tsx";

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const turn = { turnId: "turn-1" };
const started: Bodies = { type: "turn_started", ...turn };
const call: Bodies = {
  type: "tool_call",
  ...turn,
  toolCallId: "call-1",
  toolName: "collect_email",
  input: { purpose: "receipt" },
};
const schema = {
  type: "object" as const,
  properties: { email: { type: "string" as const, title: "E-mail" } },
};

function ask(round: number, over: Partial<Interaction> = {}): Bodies {
  const interaction = aFormInteraction({
    interactionId: `round-${round}`,
    sessionId: "session",
    askedBy: "tool",
    prompt: "Where shall the receipt go?",
    form: { schema, ...(round > 1 && { initialValues: { email: `answer ${round - 1}` } }) },
    attempt: round,
    ...(round > 1 && {
      previousId: `round-${round - 1}`,
      error: `Round ${round - 1} was no address.`,
      fieldErrors: { email: "No such mailbox" },
    }),
    ...over,
  });
  return { type: "interaction_request", ...turn, interaction };
}

function answer(round: number): readonly Bodies[] {
  const interactionId = `round-${round}`;
  return [
    {
      type: "interaction_response",
      ...turn,
      interactionId,
      action: "submit",
      values: { email: `answer ${round}` },
      by: aResponder(),
    },
    { type: "interaction_delivered", ...turn, interactionId, how: "resumed" },
  ];
}

const result: Bodies = {
  type: "tool_result",
  ...turn,
  toolCallId: "call-1",
  content: "Sent the receipt",
  isError: false,
};
const working: Bodies = {
  type: "assistant_message",
  ...turn,
  messageId: "m",
  text: "Hm",
  channel: "text",
};

/** Three rounds, of which the last one waits. The agent talks in between, so that the rounds stand apart in the log. */
function toHistory(over: Partial<Interaction> = {}): Bodies[] {
  const rounds = [ask(1, over), ...answer(1), working, ask(2, over), ...answer(2), ask(3, over)];
  return [started, call, ...rounds];
}

const cards = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>("article")].map(
    (card) => card.dataset["interactionId"],
  );
const isBefore = (one: Element, other: Element) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

describe.each(["tool", "questionnaire"] as const)(
  "a form (%s) that is asked again",
  (presentation) => {
    const history = toHistory({ presentation });

    test("[R-10] replaces the round before it, live and on replay", async () => {
      const replayed = await renderConversation({ log: toLog(...history) });
      await screen.findByRole("button", { name: "Submit" });
      expect(cards(replayed.container)).toEqual(["round-3"]);
      cleanup();

      const live = await renderConversation({ log: toLog(...history.slice(0, 3)) });
      await screen.findByRole("button", { name: "Submit" });
      const surface = live.container.querySelector(".hp-rounds");
      for (const event of toLog(...history).slice(3)) {
        await act(async () => live.gateway.append(event));
      }
      expect(cards(live.container)).toEqual(["round-3"]);
      expect(live.container.querySelector(".hp-rounds")).toBe(surface);
    });

    test("keeps the sent values, shows what was wrong, and has its past behind one line", async () => {
      await renderConversation({ log: toLog(...history) });
      const input = await screen.findByLabelText<HTMLInputElement>(/^E-mail/);
      expect(input.value).toBe("answer 2");
      expect(screen.getByText("Round 2 was no address.")).toBeTruthy();
      expect(input.getAttribute("aria-invalid")).toBe("true");
      fireEvent.click(screen.getByRole("button", { name: "2 earlier answers" }));
      await screen.findAllByText("answer 1");
      expect(screen.getAllByText("answer 2").length).toBeGreaterThan(0);
      // The agent gets only the values that the tool accepts.
      expect(screen.getAllByText(/The tool asked again/)).toHaveLength(2);
      expect(screen.queryByText(/Delivered to the agent/)).toBeNull();
    });

    test("takes over the focus of the round before it, and no other focus", async () => {
      const live = await renderConversation({ log: toLog(...history.slice(0, 3)) });
      (await screen.findByLabelText(/^E-mail/)).focus();
      const events = toLog(...history);
      for (const event of events.slice(3, 7)) await act(async () => live.gateway.append(event));
      expect((document.activeElement as HTMLElement).dataset["interactionId"]).toBe("round-2");
      live.input().focus();
      for (const event of events.slice(7)) await act(async () => live.gateway.append(event));
      expect(cards(live.container)).toEqual(["round-3"]);
      expect(document.activeElement).toBe(live.input());
    });
  },
);

describe("a form is placed", () => {
  test("inside its tool's block, with the result below it", async () => {
    const log = toLog(started, call, ask(1), ...answer(1), result);
    const { container } = await renderConversation({ log });
    const block = container.querySelector<HTMLElement>(".hp-tool")!;
    const card = within(block).getByRole("article");
    expect(isBefore(card, within(block).getByText("Sent the receipt"))).toBe(true);
  });

  const place = { interactionId: "round-1", sessionId: "session", toolCallId: "call-1" };
  const approval = anApprovalInteraction({}, place);
  const question = aQuestionInteraction(undefined, place);
  test.each([
    ["an approval of the tool, without a prompt", { ...approval, askedBy: "tool" }, "below"],
    ["a question of the tool", { ...question, askedBy: "tool" }, "below"],
    ["an approval of the agent", { ...approval, prompt: "Send it?" }, "below"],
    ["a question of the agent", question, "below"],
    ["a form of the agent", aFormInteraction(place), "below"],
    ["an approval that was denied", approval, "hidden"],
  ] as const)("the result of %s", async (who, interaction, where) => {
    const given = interaction.kind === "approval" ? "approve" : "submit";
    const log = toLog(
      started,
      call,
      { type: "interaction_request", ...turn, interaction },
      {
        type: "interaction_response",
        ...turn,
        interactionId: "round-1",
        action: who.endsWith("denied") ? "deny" : given,
        by: aResponder(),
      },
      result,
    );
    const { container } = await renderConversation({ log });
    await within(container).findByRole("article");
    const shown = within(container).queryAllByText("Sent the receipt");
    expect(shown).toHaveLength(where === "below" ? 1 : 0);
  });

  test("as a separate block if the tool asks for that", async () => {
    const log = toLog(
      started,
      call,
      ask(1, { presentation: "questionnaire" }),
      ...answer(1),
      result,
    );
    const { container } = await renderConversation({ log });
    expect(container.querySelector(".hp-tool")).toBeNull();
    expect(container.querySelector(".hp-row > .hp-rounds article")).not.toBeNull();
  });

  test("queued: its tool is done, and it can still be answered", async () => {
    const log = toLog(started, call, ask(1, { hold: "queued" }), result);
    const { container } = await renderConversation({ log });
    await screen.findByRole("button", { name: "Submit" });
    expect(container.querySelector(".hp-tool")?.getAttribute("data-phase")).toBe("done");
    expect(screen.getByText("Sent the receipt")).toBeTruthy();
  });

  test("as one surface with its other rounds, even if their call is not loaded", async () => {
    const log = toLog(...toHistory().filter((event) => event.type !== "tool_call"));
    const { container } = await renderConversation({ log });
    await screen.findByRole("button", { name: "2 earlier answers" });
    expect(cards(container)).toEqual(["round-3"]);
  });
});
