import type { TurnUsage } from "@holdpoint/protocol";

/** The sum of both. The result has a cost if one of them has. */
export function addUsage(before: TurnUsage | undefined, more: TurnUsage): TurnUsage {
  if (before === undefined) return more;
  const costUsd = [before.costUsd, more.costUsd].filter((cost) => cost !== undefined);
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    cachedTokens: before.cachedTokens + more.cachedTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    ...(costUsd.length > 0 && { costUsd: costUsd.reduce((sum, cost) => sum + cost) }),
  };
}
