// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import {
  aQuestionInteraction,
  FORMAT_QUESTION,
  SCOPE_QUESTION,
} from "../../testing/interactions.ts";
import { answeredHere, renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const one = aQuestionInteraction([FORMAT_QUESTION]);
const many = aQuestionInteraction([SCOPE_QUESTION]);
const two = aQuestionInteraction([FORMAT_QUESTION, SCOPE_QUESTION]);
const otherText = () => screen.getByLabelText("Other, in your own words");
const submit = () => screen.getByRole("button", { name: "Submit" });
const isBlocked = (element: HTMLElement) => element.getAttribute("aria-disabled") === "true";

describe("a question card", () => {
  test("has nothing chosen at first, blocks Submit and names the missing answers", () => {
    const { gateway } = renderCard(one);
    for (const radio of screen.getAllByRole<HTMLInputElement>("radio")) {
      expect(radio.checked).toBe(false);
    }
    expect(isBlocked(submit())).toBe(true);
    expect(screen.getByText("Choose an answer")).toBeTruthy();
    fireEvent.click(submit());
    expect(gateway.sent).toEqual([]);
  });

  test("sends the chosen option, and shows it as submitted only once it is acknowledged", async () => {
    const { gateway, announced, headline } = renderCard(one);
    fireEvent.click(screen.getByRole("radio", { name: "Locale" }));
    fireEvent.click(submit());
    expect(gateway.sent).toEqual([
      { action: "submit", answers: [{ questionId: "q-format", selected: ["locale"] }] },
    ]);
    expect(headline()).toBe("");
    expect(screen.getByText("Sending…")).toBeTruthy();
    await gateway.accept(answeredHere(one, gateway.sent[0]!));
    expect(headline()).toMatch(/^Submitted/);
    expect(document.querySelector(".hp-done-delivery")?.textContent).toContain(
      "On its way to the agent",
    );
    expect(announced()).toContain("Submitted");
  });

  test("sends once when it is pressed twice", () => {
    const { gateway } = renderCard(one);
    fireEvent.click(screen.getByRole("radio", { name: "ISO" }));
    const button = submit();
    fireEvent.click(button);
    fireEvent.click(button);
    fireEvent.keyDown(screen.getByRole("radio", { name: "ISO" }), { key: "Enter" });
    expect(gateway.sent).toHaveLength(1);
  });

  test("ticks Other while typing, and unticks the option of a single choice", () => {
    const { gateway } = renderCard(one);
    fireEvent.click(screen.getByRole("radio", { name: "ISO" }));
    fireEvent.change(otherText(), { target: { value: " Both " } });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Other" }).checked).toBe(true);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ISO" }).checked).toBe(false);
    fireEvent.click(submit());
    expect(gateway.sent[0]?.answers).toEqual([
      { questionId: "q-format", selected: [], other: "Both" },
    ]);
  });

  test("sends several ticked options together with Other, in the order offered", () => {
    const { gateway } = renderCard(many);
    fireEvent.click(screen.getByRole("checkbox", { name: "Reports" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Invoices, with their PDFs" }));
    fireEvent.change(otherText(), { target: { value: "letters, too" } });
    fireEvent.click(submit());
    expect(gateway.sent[0]?.answers).toEqual([
      { questionId: "q-scope", selected: ["invoices", "reports"], other: "letters, too" },
    ]);
  });

  test("[R-11] a ticked but empty Other can't be submitted", () => {
    const { gateway } = renderCard(many);
    fireEvent.click(screen.getByRole("checkbox", { name: "Reports" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Other" }));
    fireEvent.click(submit());
    expect(gateway.sent).toEqual([]);
    expect(screen.getByText("Fill in “Other”")).toBeTruthy();
  });

  test("walks through several questions to a review, which leads back to missing answers", () => {
    const { gateway, arm } = renderCard(two);
    fireEvent.click(screen.getByRole("radio", { name: "ISO" }));
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    expect(screen.getByText("Still to answer: Scope")).toBeTruthy();
    fireEvent.click(submit());
    expect(gateway.sent).toEqual([]);
    fireEvent.click(screen.getByRole("checkbox", { name: "Reminders" }));
    fireEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ISO" }).checked).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Review" }));
    // The second half of a double click.
    fireEvent.click(submit());
    expect(gateway.sent).toEqual([]);
    arm();
    fireEvent.click(submit());
    expect(gateway.sent[0]?.answers).toEqual([
      { questionId: "q-format", selected: ["iso"] },
      { questionId: "q-scope", selected: ["reminders"] },
    ]);
  });

  test("[R-13] can be looked through where it can't be answered", () => {
    renderCard(two, { canRespond: false });
    fireEvent.click(screen.getByRole("button", { name: "Scope" }));
    expect(screen.getByText("Which parts should change?")).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Reminders" }));
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Reminders" }).checked).toBe(
      false,
    );
  });

  test("keeps the focus in the card from one question to the next, and announces it", () => {
    const { card, announced } = renderCard(two);
    const iso = screen.getByRole("radio", { name: "ISO" });
    iso.focus();
    fireEvent.keyDown(iso, { key: "Enter" });
    expect(card().contains(document.activeElement)).toBe(true);
    expect(announced()).toContain("Question 2 of 2: Which parts should change?");
    fireEvent.keyDown(document.activeElement!, { key: "Enter" });
    expect(card().contains(document.activeElement)).toBe(true);
    expect(announced()).toContain("Review of your answers");
  });

  test("skips without an answer", () => {
    const { gateway } = renderCard(one);
    fireEvent.click(screen.getByRole("button", { name: "Skip" }));
    expect(gateway.sent).toEqual([{ action: "cancel" }]);
  });

  test("shows the preview of the option that has focus", async () => {
    const [iso, locale] = FORMAT_QUESTION.options;
    const question = {
      ...FORMAT_QUESTION,
      options: [
        { ...iso!, preview: { format: "markdown" as const, content: "Due  2026-12-05" } },
        { ...locale!, preview: { format: "markdown" as const, content: "Due  5. Dezember" } },
      ],
    };
    renderCard(aQuestionInteraction([question]));
    expect(await screen.findByText("Due 2026-12-05")).toBeTruthy();
    fireEvent.focus(screen.getByRole("radio", { name: "Locale" }));
    expect(screen.getByText("Due 5. Dezember")).toBeTruthy();
  });

  test("shows an HTML preview in a frame without any permissions", async () => {
    const content = "<script>parent.hacked = true</script><p>Hello</p>";
    const options = [{ id: "a", label: "A", preview: { format: "html" as const, content } }];
    const { container } = renderCard(aQuestionInteraction([{ ...FORMAT_QUESTION, options }]));
    await screen.findByTitle("Preview of A");
    const frame = container.querySelector("iframe")!;
    expect(frame.getAttribute("sandbox")).toBe("");
    expect(frame.srcdoc).toContain("default-src 'none'");
    expect(frame.srcdoc.indexOf("default-src")).toBeLessThan(frame.srcdoc.indexOf("<script>"));
    expect(container.querySelector("script")).toBeNull();
  });
});

describe("[R-6] a question card shows the whole question", () => {
  test.each([FORMAT_QUESTION, SCOPE_QUESTION])(
    "$header: its header, and the meaning of each option",
    (question) => {
      const { container } = renderCard(aQuestionInteraction([question]));
      expect(container.querySelector("legend .hp-chip")?.textContent).toBe(question.header);
      const descriptions = [...container.querySelectorAll(".hp-option-description")];
      expect(descriptions.map(({ textContent }) => textContent)).toEqual(
        question.options.flatMap(({ description }) => description ?? []),
      );
      expect(container.textContent).toContain(question.question);
    },
  );
});

describe("keys on a question card", () => {
  test("digits choose, the one after the last focuses Other, and Enter submits", () => {
    const { gateway, card } = renderCard(one);
    fireEvent.keyDown(card(), { key: "2" });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Locale" }).checked).toBe(true);
    fireEvent.keyDown(card(), { key: "3" });
    expect(document.activeElement).toBe(otherText());
    fireEvent.keyDown(card(), { key: "Enter" });
    expect(gateway.sent[0]?.answers?.[0]?.selected).toEqual(["locale"]);
  });

  test("digits are text while typing", () => {
    renderCard(one);
    fireEvent.keyDown(otherText(), { key: "1" });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ISO" }).checked).toBe(false);
  });

  test("digits with a modifier belong to the browser", () => {
    const { card } = renderCard(one);
    fireEvent.keyDown(card(), { key: "1", ctrlKey: true });
    fireEvent.keyDown(card(), { key: "1", metaKey: true });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ISO" }).checked).toBe(false);
  });

  test("Enter that ends a composition submits nothing", () => {
    const { gateway } = renderCard(one);
    fireEvent.change(otherText(), { target: { value: "日本" } });
    fireEvent.keyDown(otherText(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(otherText(), { key: "Enter", keyCode: 229 });
    expect(gateway.sent).toEqual([]);
    fireEvent.keyDown(otherText(), { key: "Enter" });
    expect(gateway.sent).toHaveLength(1);
  });

  test("Shift+Enter is a line break, and Enter on Skip is not a submit", () => {
    const { gateway } = renderCard(one);
    fireEvent.change(otherText(), { target: { value: "a" } });
    fireEvent.keyDown(otherText(), { key: "Enter", shiftKey: true });
    fireEvent.keyDown(screen.getByRole("button", { name: "Skip" }), { key: "Enter" });
    expect(gateway.sent).toEqual([]);
  });
});

describe("the draft of a question card", () => {
  test("survives the removal of the card, and is deleted once acknowledged", async () => {
    const drafts = createMemoryDrafts();
    const first = renderCard(two, { drafts });
    fireEvent.click(screen.getByRole("radio", { name: "ISO" }));
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    fireEvent.change(otherText(), { target: { value: "half a thought" } });
    first.unmount();

    const { gateway, arm } = renderCard(two, { drafts });
    expect((otherText() as HTMLTextAreaElement).value).toBe("half a thought");
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    arm();
    fireEvent.click(submit());
    expect(drafts.read(two.interactionId)).toBeDefined();
    await gateway.accept(answeredHere(two, gateway.sent[0]!));
    expect(drafts.read(two.interactionId)).toBeUndefined();
  });

  test("is dropped if it does not fit the question", () => {
    const drafts = createMemoryDrafts();
    drafts.write(one.interactionId, '{"step":0,"answers":[{"selected":["nope"],"otherTicked":1}]}');
    renderCard(one, { drafts });
    expect(isBlocked(submit())).toBe(true);
  });

  test("does not move to another interaction at the same place", () => {
    const { show } = renderCard(one);
    fireEvent.change(otherText(), { target: { value: "for the first" } });
    show({ ...one, interactionId: "interaction-2" });
    expect((otherText() as HTMLTextAreaElement).value).toBe("");
  });
});
