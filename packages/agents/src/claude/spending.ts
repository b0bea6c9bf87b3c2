import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnUsage } from "@holdpoint/protocol";

/** What a conversation has used so far, as the runtime counts on from turn to turn. */
export type Spending = { readonly [TKey in keyof TurnUsage]-?: number };

/** Of a conversation that has not begun. */
export const NO_SPENDING: Spending = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

const KEYS = Object.keys(NO_SPENDING) as readonly (keyof Spending)[];

/** The runtime's totals: sub-agents and its own errands are part of them. */
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

/** What was used between two counts; undefined where that is nothing. A runtime that counts less than before has begun anew. */
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

/** The count in a stored state; undefined for anything else. */
export function parseSpending(stored: unknown): Spending | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const counts = stored as Partial<Record<keyof Spending, unknown>>;
  return KEYS.every((key) => isCount(counts[key])) ? (stored as Spending) : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
