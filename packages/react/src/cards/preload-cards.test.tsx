// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { aFormInteraction, aQuestionInteraction } from "../testing/interactions.ts";
import { renderCard } from "../testing/render-card.tsx";
import { preloadCards } from "./lazy-cards.tsx";

test("the first form and the first question whose cards were loaded ahead are there at once", async () => {
  await preloadCards();
  renderCard(aFormInteraction());
  expect(screen.getByRole("button", { name: "Submit" })).toBeTruthy();
  expect(screen.queryByText("Loading the form…")).toBeNull();
  renderCard(aQuestionInteraction());
  expect(screen.getAllByRole("button", { name: /^Submit/ })).toHaveLength(2);
  expect(screen.queryByText("Loading the question…")).toBeNull();
});
