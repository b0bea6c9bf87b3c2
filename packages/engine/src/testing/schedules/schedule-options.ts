const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };

/**
 * The same schedules in every run, so that a change is judged by itself. `npm run campaign` runs more of them, from a
 * seed of its own: `SCHEDULE_RUNS` and `SCHEDULE_SEED`.
 */
export function scheduleOptions(numRuns: number): { numRuns: number; seed: number } {
  const { SCHEDULE_RUNS, SCHEDULE_SEED } = process?.env ?? {};
  return { numRuns: Number(SCHEDULE_RUNS ?? numRuns), seed: Number(SCHEDULE_SEED ?? 1) };
}
