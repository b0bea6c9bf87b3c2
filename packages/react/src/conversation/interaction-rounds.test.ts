import { expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { toChains } from "./interaction-rounds.tsx";

const round = (interactionId: string, previousId?: string) =>
  anInteraction({ interactionId, ...(previousId !== undefined && { previousId }) });

test("a reprompt replaces the round before it, and other questions stay separate", () => {
  const chains = toChains([round("a"), round("b"), round("a2", "a"), round("a3", "a2")]);
  const ids = chains.map(({ current, earlier }) => [
    current.interactionId,
    earlier.map(({ interactionId }) => interactionId),
  ]);
  expect(ids).toEqual([
    ["a3", ["a", "a2"]],
    ["b", []],
  ]);
});

test("a reprompt whose first round is not loaded stands alone", () => {
  expect(toChains([round("a2", "a")])).toMatchObject([
    { current: { interactionId: "a2" }, earlier: [] },
  ]);
});
