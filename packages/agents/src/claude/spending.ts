import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnUsage } from "@holdpoint/protocol";

/** A conversation's usage so far. The runtime's counts accumulate across turns. */
export type Spending = { readonly [TKey in keyof TurnUsage]-?: number };

/** The usage of a conversation that has not begun. */
export const NO_SPENDING: Spending = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

const KEYS = Object.keys(NO_SPENDING) as readonly (keyof Spending)[];

/** The runtime's totals, which include sub-agents and its own requests. */
export function toSpending(
  result: Partial<Pick<SDKResultMessage, "modelUsage" | "total_cost_usd">>,
): Spending {
  const models = Object.values(result.modelUsage ?? {});
  const sum = (count: (model: (typeof models)[number]) => number): number =>
    models.reduce((total, model) => total + count(model), 0);
  const cachedTokens = sum((model) => model.cacheReadInputTokens);
  return {
    inputTokens: sum((model) => model.inputTokens + model.cacheCreationInputTokens) + cachedTokens,
    cachedTokens,
    outputTokens: sum((model) => model.outputTokens),
    costUsd: result.total_cost_usd ?? 0,
  };
}

/**
 * The usage between two counts; `undefined` if there was none. If the counts have decreased, the runtime has started
 * over.
 */
export function spentBetween(before: Spending, now: Spending): TurnUsage | undefined {
  const isAnew = KEYS.some((key) => now[key] < before[key]);
  const base = isAnew ? NO_SPENDING : before;
  const inputTokens = now.inputTokens - base.inputTokens;
  const outputTokens = now.outputTokens - base.outputTokens;
  if (inputTokens + outputTokens === 0) return undefined;
  const costUsd = now.costUsd - base.costUsd;
  return {
    inputTokens,
    cachedTokens: now.cachedTokens - base.cachedTokens,
    outputTokens,
    ...(costUsd > 0 && { costUsd }),
  };
}

/** The counts in a stored state; `undefined` if they are invalid. */
export function parseSpending(stored: unknown): Spending | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const counts = stored as Partial<Record<keyof Spending, unknown>>;
  return KEYS.every((key) => isCount(counts[key])) ? (stored as Spending) : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
