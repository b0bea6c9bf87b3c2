import type { Ask } from "@holdpoint/protocol";

import type { CallbacksPort } from "../ports/callbacks.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { toAsk } from "./to-ask.ts";

export interface ShowAskParts {
  readonly callbacks: Pick<CallbacksPort, "refuses" | "hold" | "find">;
  readonly toCardUrl: (interactionId: string) => string;
}

/** What a program gets of its ask, with what became of its callback. */
export async function showAsk(
  { callbacks, toCardUrl }: ShowAskParts,
  stored: StoredInteraction,
): Promise<Ask> {
  const { interactionId, callbackHost } = stored.interaction;
  // Most asks name none: nothing is read for them.
  const callback = callbackHost === undefined ? undefined : await callbacks.find(interactionId);
  return { ...toAsk(stored, toCardUrl), ...(callback && { callback }) };
}
