// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { aFormInteraction } from "../testing/interactions.ts";
import { renderCard } from "../testing/render-card.tsx";
import { preloadCards } from "./lazy-cards.tsx";

afterEach(cleanup);

const fields = () => screen.queryAllByRole("textbox");

test("a form that came before its card was loaded keeps its fields and the focus when it is drawn again", async () => {
  const form = aFormInteraction();
  const { show } = renderCard(form);
  expect(fields()).toEqual([]);
  await preloadCards();
  await screen.findByRole("button", { name: "Submit" }, { timeout: 15_000 });
  const [first] = fields();
  first!.focus();
  show({ ...form });
  expect(fields()[0]).toBe(first);
  expect(document.activeElement).toBe(first);
});
