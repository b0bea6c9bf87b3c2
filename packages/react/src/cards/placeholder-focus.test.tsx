// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { aQuestionInteraction } from "../testing/interactions.ts";

// Another file of the same worker may have loaded the cards.
beforeEach(() => void vi.resetModules());
afterEach(cleanup);

test("a question that was focused while its card was loading keeps the focus", async () => {
  const { renderCard } = await import("../testing/render-card.tsx");
  const { preloadCards } = await import("./lazy-cards.tsx");
  renderCard(aQuestionInteraction());
  const placeholder = screen.getByRole("article");
  placeholder.focus();
  await preloadCards();
  await screen.findByRole("button", { name: "Submit" });
  const card = screen.getByRole("article");
  expect(card).not.toBe(placeholder);
  expect(document.activeElement).toBe(card);
});
