import type { DraftStorage } from "@holdpoint/client";
import type { SentMessage } from "@holdpoint/protocol";
import { useCallback, useRef, useState } from "react";

import { useHoldpoint } from "../hooks/provider.tsx";
import { toCallTroubleWords, type TroubleWords } from "../hooks/trouble-words.ts";

export interface MessageSender {
  readonly sending: boolean;
  /** Why the last attempt failed, as long as it was to send this text; the text is the caller's to keep. */
  readonly toTrouble: (content: string) => TroubleWords | undefined;
  /**
   * Resolves to `undefined` when it failed or while another is under way. The same text sent again after a failure,
   * also after a reload, carries the same idempotency key: it is one message however often it is tried.
   */
  readonly send: (content: string) => Promise<SentMessage | undefined>;
}

export function useSendMessage(sessionId: string): MessageSender {
  const { transport, drafts, randomness } = useHoldpoint();
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<{
    readonly content: string;
    readonly words: TroubleWords;
  }>();
  const underWay = useRef(false);

  const send = useCallback(
    async (content: string): Promise<SentMessage | undefined> => {
      if (underWay.current) return undefined;
      underWay.current = true;
      setSending(true);
      setTrouble(undefined);
      const attempt = `attempt:${sessionId}`;
      const idempotencyKey = readAttempt(drafts, attempt, content) ?? randomness.key();
      drafts.write(attempt, JSON.stringify({ content, idempotencyKey }));
      try {
        const sent = await transport.sendMessage(sessionId, {
          content,
          idempotencyKey,
          queue: true,
        });
        drafts.remove(attempt);
        return sent;
      } catch (error: unknown) {
        setTrouble({ content, words: toCallTroubleWords(error) });
        return undefined;
      } finally {
        underWay.current = false;
        setSending(false);
      }
    },
    [transport, drafts, randomness, sessionId],
  );
  const toTrouble = (content: string): TroubleWords | undefined =>
    trouble?.content === content ? trouble.words : undefined;
  return { sending, toTrouble, send };
}

function readAttempt(drafts: DraftStorage, key: string, content: string): string | undefined {
  const stored = drafts.read(key);
  if (stored === undefined) return undefined;
  try {
    const attempt = JSON.parse(stored) as { content?: unknown; idempotencyKey?: unknown };
    if (attempt.content !== content || typeof attempt.idempotencyKey !== "string") return undefined;
    return attempt.idempotencyKey;
  } catch {
    // Written by another version: it is a new attempt.
    return undefined;
  }
}
