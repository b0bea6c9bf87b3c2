import { describe, expect, test } from "vitest";

import { findUsed } from "./model-dialog.tsx";

const MODELS = [
  { model: "default", resolvesTo: "opus-5", label: "Default" },
  { model: "opus", resolvesTo: "opus-5", label: "Opus" },
  { model: "sonnet", resolvesTo: "sonnet-5", label: "Sonnet" },
];

describe("the marked model", () => {
  test.each([
    ["nothing is known", {}, undefined],
    ["the agent has reported its model", { activeModel: "opus-5" }, "default"],
    ["a person has chosen, and the agent has not answered yet", { model: "sonnet" }, "sonnet"],
    ["the agent uses the chosen one", { model: "opus", activeModel: "opus-5" }, "opus"],
    ["the agent uses another", { model: "opus", activeModel: "sonnet-5" }, "sonnet"],
    ["the agent uses one that it does not list", { model: "opus", activeModel: "x" }, undefined],
  ])("if %s", (_, { model, activeModel }: { model?: string; activeModel?: string }, marked) =>
    expect(findUsed(MODELS, { model, activeModel })?.model).toBe(marked),
  );
});
