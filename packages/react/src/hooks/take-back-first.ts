import type { UiClock } from "../parts/ui-clock.tsx";
import type { HoldpointContext } from "./provider.tsx";

/** Stop may not wait for longer, whatever the gateway or the network does. */
const LIMIT_MS = 1000;

/** Takes back what is queued before a stop. Resolves also where that fails, and after a second at the latest. */
export async function takeBackFirst(
  context: HoldpointContext,
  clock: UiClock,
  sessionId: string,
): Promise<void> {
  const { promise: waitedLongEnough, resolve } = Promise.withResolvers<void>();
  const cancel = clock.schedule(LIMIT_MS, resolve);
  const takenBack = import("./take-back-queue.ts")
    .then(({ takeBackQueue }) => takeBackQueue(context, sessionId))
    .catch(() => undefined);
  await Promise.race([takenBack, waitedLongEnough]);
  cancel();
}
