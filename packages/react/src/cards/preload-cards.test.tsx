// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import {
  anApprovalInteraction,
  aFormInteraction,
  aQuestionInteraction,
} from "../testing/interactions.ts";
import { renderCard } from "../testing/render-card.tsx";
import { preloadCards } from "./lazy-cards.tsx";

afterEach(cleanup);

test("the first card of each kind that was preloaded is shown at once", async () => {
  await preloadCards();
  renderCard(anApprovalInteraction());
  expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
  renderCard(aFormInteraction());
  expect(screen.getByRole("button", { name: "Submit" })).toBeTruthy();
  expect(screen.queryByText("Loading the form…")).toBeNull();
  renderCard(aQuestionInteraction());
  expect(screen.getAllByRole("button", { name: /^Submit/ })).toHaveLength(2);
  expect(screen.queryByText("Loading the question…")).toBeNull();
});
