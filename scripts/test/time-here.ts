/** So much of the processor tells how busy the machine is. */
const PROBE_MS = 20;

/**
 * How long something may take here and now that may take `quietMs` on a quiet machine. What else runs on the machine takes
 * the processor from it as it does from the loop that is measured here.
 */
export function timeHere(quietMs: number): number {
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  let usedMs = 0;
  while (usedMs < PROBE_MS) {
    const { user, system } = process.threadCpuUsage(before);
    usedMs = (user + system) / 1000;
  }
  // A process that waits is also late where it is woken.
  return quietMs * Math.max(1, (1.5 * (performance.now() - startedAt)) / usedMs);
}
