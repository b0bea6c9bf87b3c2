/** The processor time after which the machine's load is estimated. */
const PROBE_MS = 20;

/**
 * How long an action may take here and now if it may take `quietMs` on a quiet machine. Other programs take the
 * processor from the action as they do from the loop that is measured here.
 */
export function timeHere(quietMs: number): number {
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  let usedMs = 0;
  while (usedMs < PROBE_MS) {
    const { user, system } = process.threadCpuUsage(before);
    usedMs = (user + system) / 1000;
  }
  // A waiting process is also woken late.
  return quietMs * Math.max(1, (1.5 * (performance.now() - startedAt)) / usedMs);
}
