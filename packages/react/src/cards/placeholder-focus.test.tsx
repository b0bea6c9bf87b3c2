// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { aQuestionInteraction } from "../testing/interactions.ts";
import { renderCard } from "../testing/render-card.tsx";
import { preloadCards } from "./lazy-cards.tsx";

test("a question that was focused while its card was loaded keeps the focus", async () => {
  renderCard(aQuestionInteraction());
  const placeholder = screen.getByRole("article");
  placeholder.focus();
  await preloadCards();
  await screen.findByRole("button", { name: "Submit" }, { timeout: 15_000 });
  const card = screen.getByRole("article");
  expect(card).not.toBe(placeholder);
  expect(document.activeElement).toBe(card);
});
