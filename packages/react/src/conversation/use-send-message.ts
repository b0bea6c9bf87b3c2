import type { DraftStorage } from "@holdpoint/client";
import type { SentMessage } from "@holdpoint/protocol";
import { useCallback, useRef, useState } from "react";

import { useHoldpoint } from "../hooks/provider.tsx";
import { toCallTroubleWords, type TroubleWords } from "../hooks/trouble-words.ts";
import { useWords } from "../words/use-words.ts";

export interface MessageSender {
  readonly sending: boolean;
  /** The failure of the last attempt, if it was for this text. The caller has to keep the text. */
  readonly toTrouble: (
    content: string,
    attachments?: readonly string[],
  ) => TroubleWords | undefined;
  /**
   * Sends a message. `attachments`: ids of uploaded files. Resolves to `undefined` if it failed, or if another message
   * is being sent. Sending the same message again after a failure, even after a reload, reuses the idempotency key, so
   * that it arrives once.
   */
  readonly send: (
    content: string,
    attachments?: readonly string[],
  ) => Promise<SentMessage | undefined>;
}

export function useSendMessage(sessionId: string): MessageSender {
  const { transport, drafts, randomness } = useHoldpoint();
  const { language } = useWords();
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<{
    readonly said: string;
    readonly words: TroubleWords;
  }>();
  const underWay = useRef(false);

  const send = useCallback(
    async (
      content: string,
      attachments: readonly string[] = [],
    ): Promise<SentMessage | undefined> => {
      if (underWay.current) return undefined;
      underWay.current = true;
      setSending(true);
      setTrouble(undefined);
      const attempt = `attempt:${sessionId}`;
      const said = toSaid(content, attachments);
      const idempotencyKey = readAttempt(drafts, attempt, said) ?? randomness.key();
      drafts.write(attempt, JSON.stringify({ said, idempotencyKey }));
      try {
        const sent = await transport.sendMessage(sessionId, {
          content,
          ...(attachments.length > 0 && { attachments: [...attachments] }),
          idempotencyKey,
          queue: true,
        });
        drafts.remove(attempt);
        return sent;
      } catch (error: unknown) {
        setTrouble({ said, words: toCallTroubleWords(error, language) });
        return undefined;
      } finally {
        underWay.current = false;
        setSending(false);
      }
    },
    [transport, drafts, randomness, language, sessionId],
  );
  const toTrouble: MessageSender["toTrouble"] = (content, attachments = []) =>
    trouble?.said === toSaid(content, attachments) ? trouble.words : undefined;
  return { sending, toTrouble, send };
}

/** Identifies a message by its contents. */
function toSaid(content: string, attachments: readonly string[]): string {
  return attachments.length === 0 ? content : JSON.stringify([content, ...attachments]);
}

function readAttempt(drafts: DraftStorage, key: string, said: string): string | undefined {
  const stored = drafts.read(key);
  if (stored === undefined) return undefined;
  try {
    const attempt = JSON.parse(stored) as { said?: unknown; idempotencyKey?: unknown };
    if (attempt.said !== said || typeof attempt.idempotencyKey !== "string") return undefined;
    return attempt.idempotencyKey;
  } catch {
    // Written by another version: start a new attempt.
    return undefined;
  }
}
