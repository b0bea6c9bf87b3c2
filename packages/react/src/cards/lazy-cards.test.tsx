// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { aFormInteraction } from "../testing/interactions.ts";

// Another file of the same worker may have loaded the cards.
beforeEach(() => void vi.resetModules());
afterEach(cleanup);

const fields = () => screen.queryAllByRole("textbox");

test("a form that appeared before its card was loaded keeps its fields and the focus when it is drawn again", async () => {
  const { renderCard } = await import("../testing/render-card.tsx");
  const { preloadCards } = await import("./lazy-cards.tsx");
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
