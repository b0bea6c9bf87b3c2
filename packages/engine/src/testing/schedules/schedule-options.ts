const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };

/**
 * The same schedules in every run, so that only a change of the code can change the result. `npm run campaign` runs
 * more of them with its own seed: `CAMPAIGN_CASES` and `CAMPAIGN_SEED`.
 */
export function scheduleOptions(numRuns: number): { numRuns: number; seed: number } {
  const { CAMPAIGN_CASES, CAMPAIGN_SEED } = process?.env ?? {};
  return { numRuns: Number(CAMPAIGN_CASES ?? numRuns), seed: Number(CAMPAIGN_SEED ?? 1) };
}
