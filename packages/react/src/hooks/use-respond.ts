import { sendResponse } from "@holdpoint/client";
import type { RespondBody, RespondResult } from "@holdpoint/protocol";
import { useCallback } from "react";

import { useHoldpoint } from "./provider.tsx";

/**
 * Returns a function that responds to an interaction. It retries under one idempotency key while the gateway cannot be
 * reached, and rejects after the last try. Unmounting does not abort it: the response is on its way.
 */
export function useRespond(): (interactionId: string, body: RespondBody) => Promise<RespondResult> {
  const { transport, clock, randomness } = useHoldpoint();
  return useCallback(
    (interactionId, body) => sendResponse(transport, interactionId, body, { clock, randomness }),
    [transport, clock, randomness],
  );
}
