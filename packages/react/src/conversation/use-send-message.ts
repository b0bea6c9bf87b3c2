import type { DraftStorage } from "@holdpoint/client";
import type { SentMessage } from "@holdpoint/protocol";
import { useCallback, useRef, useState } from "react";

import { useHoldpoint } from "../hooks/provider.tsx";
import { toCallTroubleWords, type TroubleWords } from "../hooks/trouble-words.ts";
import { useWords } from "../words/use-words.ts";

export interface MessageSender {
  readonly sending: boolean;
  /** Why the last attempt failed, as long as it was to send this text; the text is the caller's to keep. */
  readonly toTrouble: (
    content: string,
    attachments?: readonly string[],
  ) => TroubleWords | undefined;
  /**
   * `attachments`: ids of what was uploaded. Resolves to `undefined` when it failed or while another is under way. The same sent again after a failure,
   * also after a reload, carries the same idempotency key: it is one message however often it is tried.
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

/** Of a message all that makes it another one. */
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
    // Written by another version: it is a new attempt.
    return undefined;
  }
}
