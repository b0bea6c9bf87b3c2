import type { Ask } from "@holdpoint/protocol";

import type { CallbacksPort } from "../ports/callbacks.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { toAsk } from "./to-ask.ts";

export interface ShowAskParts {
  readonly callbacks: Pick<CallbacksPort, "refuses" | "hold" | "find">;
  readonly toCardUrl: (interactionId: string) => string;
}

/** The ask as its program sees it, with the state of its callback. */
export async function showAsk(
  { callbacks, toCardUrl }: ShowAskParts,
  stored: StoredInteraction,
): Promise<Ask> {
  const { interactionId, callbackHost } = stored.interaction;
  // Most asks have no callback, so the read is skipped.
  const callback = callbackHost === undefined ? undefined : await callbacks.find(interactionId);
  return { ...toAsk(stored, toCardUrl), ...(callback && { callback }) };
}
