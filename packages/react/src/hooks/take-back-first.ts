import type { UiClock } from "../parts/ui-clock.tsx";
import type { HoldpointContext } from "./provider.tsx";
import { takeBackQueue } from "./take-back-queue.ts";

/** The longest wait before Stop, even if the gateway or the network is slow. */
const LIMIT_MS = 1000;

/** Takes back the queued messages before a stop. Also resolves on failure, and after a second at the latest. */
export async function takeBackFirst(
  context: HoldpointContext,
  clock: UiClock,
  sessionId: string,
): Promise<void> {
  const { promise: waitedLongEnough, resolve } = Promise.withResolvers<void>();
  const cancel = clock.schedule(LIMIT_MS, resolve);
  const takenBack = takeBackQueue(context, sessionId).catch(() => undefined);
  await Promise.race([takenBack, waitedLongEnough]);
  cancel();
}
