// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { aFormInteraction } from "../../testing/interactions.ts";
import { renderCard } from "../../testing/render-card.tsx";
import { preloadFormCard } from "./lazy-form-card.tsx";

test("the first form whose card was loaded ahead is there at once", async () => {
  preloadFormCard();
  await vi.dynamicImportSettled();
  renderCard(aFormInteraction());
  expect(screen.getByRole("button", { name: "Submit" })).toBeTruthy();
  expect(screen.queryByText("Loading the form…")).toBeNull();
});
