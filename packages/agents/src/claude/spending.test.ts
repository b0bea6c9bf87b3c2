import { describe, expect, test } from "vitest";

import { parseState, serializeState } from "./saved-state.ts";
import { NO_SPENDING, spentBetween, toSpending } from "./spending.ts";

const model = (counts: object) => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  webSearchRequests: 0,
  costUSD: 0,
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  ...counts,
});

describe("the usage of a conversation", () => {
  test("is the sum over its models, with tokens written to and read from the cache", () => {
    const modelUsage = {
      opus: model({ inputTokens: 1, outputTokens: 20, cacheReadInputTokens: 300 }),
      haiku: model({ inputTokens: 4000, cacheCreationInputTokens: 50_000 }),
    };
    expect(toSpending({ modelUsage, total_cost_usd: 0.5 })).toEqual({
      inputTokens: 54_301,
      cachedTokens: 300,
      outputTokens: 20,
      costUsd: 0.5,
    });
    expect(toSpending({})).toEqual(NO_SPENDING);
  });

  test("is reported for each turn as the difference", () => {
    const before = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, costUsd: 0.25 };
    const now = { inputTokens: 30, cachedTokens: 14, outputTokens: 6, costUsd: 0.75 };
    expect(spentBetween(before, now)).toEqual({
      inputTokens: 20,
      cachedTokens: 10,
      outputTokens: 1,
      costUsd: 0.5,
    });
    expect(spentBetween(now, now)).toBeUndefined();
  });

  test("restarts from zero when the runtime does", () => {
    const before = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, costUsd: 0.25 };
    const anew = { inputTokens: 7, cachedTokens: 0, outputTokens: 9, costUsd: 0 };
    expect(spentBetween(before, anew)).toEqual({
      inputTokens: 7,
      cachedTokens: 0,
      outputTokens: 9,
    });
  });

  test.each([{ inputTokens: -1 }, { costUsd: "1" }, { outputTokens: Number.NaN }, null])(
    "is unknown if the stored state has %o",
    (change) => {
      const spent = change && { ...NO_SPENDING, ...change };
      const state = { conversationId: "c1", spent: spent as never };
      expect(parseState(serializeState(state))).toEqual({ conversationId: "c1" });
    },
  );
});
