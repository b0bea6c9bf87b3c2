import type { ConversationHandle } from "@holdpoint/react";
import { useCallback, useRef, type RefCallback, type RefObject } from "react";

import { navigate } from "../use-route.ts";

interface FocusWaiting {
  /** The `ref` of the conversation. */
  readonly onConversation: RefCallback<ConversationHandle>;
  readonly conversation: RefObject<ConversationHandle | null>;
  /**
   * Focuses the next pending card of this conversation. If there is none, goes to the session that has waited longest
   * and focuses its card as soon as it is drawn.
   */
  readonly focusWaiting: (direction: 1 | -1) => void;
  /** Goes to a session and focuses its first pending card. */
  readonly goToWaiting: (sessionId: string) => void;
}

export function useFocusWaiting(
  oldestSessionId: string | undefined,
  onLeave: () => void,
): FocusWaiting {
  const conversation = useRef<ConversationHandle>(null);
  const wanted = useRef<1 | -1>(undefined);
  const onConversation = useCallback((handle: ConversationHandle | null) => {
    conversation.current = handle;
    if (handle === null || wanted.current === undefined) return;
    if (handle.focusWaiting(wanted.current)) wanted.current = undefined;
  }, []);
  const goToWaiting = useCallback((sessionId: string) => {
    wanted.current = 1;
    navigate({ name: "session", sessionId });
    // If that session is already on screen, no other conversation will be drawn.
    if (conversation.current?.focusWaiting(1) === true) wanted.current = undefined;
  }, []);
  return {
    onConversation,
    conversation,
    goToWaiting,
    focusWaiting(direction) {
      wanted.current = undefined;
      onLeave();
      if (conversation.current?.focusWaiting(direction) === true) return;
      if (oldestSessionId === undefined) return;
      wanted.current = direction;
      navigate({ name: "session", sessionId: oldestSessionId });
    },
  };
}
