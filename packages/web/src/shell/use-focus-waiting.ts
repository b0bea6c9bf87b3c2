import type { ConversationHandle } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { navigate } from "../use-route.ts";

/**
 * Moves focus to the next waiting card of this conversation; where none waits, goes to the session that has waited
 * longest and focuses its card as soon as it is there.
 */
export function useFocusWaiting(
  conversation: { readonly current: ConversationHandle | null },
  oldestSessionId: string | undefined,
  onLeave: () => void,
): (direction: 1 | -1) => void {
  const wanted = useRef<1 | -1>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || conversation.current === null) return;
    if (conversation.current.focusWaiting(wanted.current)) wanted.current = undefined;
  });
  return (direction) => {
    wanted.current = undefined;
    onLeave();
    if (conversation.current?.focusWaiting(direction) === true) return;
    if (oldestSessionId === undefined) return;
    wanted.current = direction;
    navigate({ name: "session", sessionId: oldestSessionId });
  };
}
