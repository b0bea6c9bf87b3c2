// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import {
  aFormInteraction,
  anApprovalInteraction,
  aQuestionInteraction,
} from "../testing/interactions.ts";

// Another file of the same worker may have loaded the cards.
beforeEach(() => void vi.resetModules());
afterEach(cleanup);

/** Cards as on a page that has not loaded their code. */
async function openPage() {
  const { renderCard } = await import("../testing/render-card.tsx");
  const { preloadCards } = await import("./cards-seam.ts");
  return { renderCard, preloadCards };
}

const fields = () => screen.queryAllByRole("textbox");

test("a form that appeared before its card was loaded keeps its fields and the focus when it is drawn again", async () => {
  const { renderCard, preloadCards } = await openPage();
  const form = aFormInteraction();
  const { show } = renderCard(form);
  expect(fields()).toEqual([]);
  await preloadCards();
  await screen.findByRole("button", { name: "Submit" });
  const [first] = fields();
  first!.focus();
  show({ ...form });
  expect(fields()[0]).toBe(first);
  expect(document.activeElement).toBe(first);
});

test("a question that was focused while its card was loading keeps the focus", async () => {
  const { renderCard, preloadCards } = await openPage();
  renderCard(aQuestionInteraction());
  const placeholder = screen.getByRole("article");
  placeholder.focus();
  await preloadCards();
  await screen.findByRole("button", { name: "Submit" });
  const card = screen.getByRole("article");
  expect(card).not.toBe(placeholder);
  expect(document.activeElement).toBe(card);
});

test("the first card of each kind that was preloaded is shown at once", async () => {
  const { renderCard, preloadCards } = await openPage();
  await preloadCards();
  renderCard(anApprovalInteraction());
  expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
  renderCard(aFormInteraction());
  expect(screen.getByRole("button", { name: "Submit" })).toBeTruthy();
  renderCard(aQuestionInteraction());
  expect(screen.getAllByRole("button", { name: /^Submit/ })).toHaveLength(2);
  expect(screen.queryByText("Loading the request…")).toBeNull();
});
