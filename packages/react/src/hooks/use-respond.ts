import { sendResponse } from "@holdpoint/client";
import type { RespondBody, RespondResult } from "@holdpoint/protocol";
import { useCallback } from "react";

import { useHoldpoint } from "./provider.tsx";

/**
 * Responds to an interaction. Retries while the gateway cannot be reached, under one idempotency key; rejects when
 * the tries are used up. Not aborted by unmounting: what the person said is on its way.
 */
export function useRespond(): (interactionId: string, body: RespondBody) => Promise<RespondResult> {
  const { transport, clock, randomness } = useHoldpoint();
  return useCallback(
    (interactionId, body) => sendResponse(transport, interactionId, body, { clock, randomness }),
    [transport, clock, randomness],
  );
}
