import type { RespondBody } from "@holdpoint/protocol";
import { useState } from "react";

import { toCallTroubleWords, type TroubleWords } from "../hooks/trouble-words.ts";
import { useRespond } from "../hooks/use-respond.ts";
import type { ComposerMode } from "./composer-mode.ts";

interface ComposerAnswer {
  readonly sending: boolean;
  readonly trouble: TroubleWords | undefined;
  /** Answers with free text; true once the gateway has taken it. */
  reply(text: string): Promise<boolean>;
  /** Dismisses the question; one that is closed already counts as dismissed. */
  dismiss(): Promise<boolean>;
}

/** Answers the one waiting question from the composer. Does nothing in any other mode. */
export function useComposerAnswer(mode: ComposerMode): ComposerAnswer {
  const interactionId = mode.type === "choose" ? mode.question.interactionId : undefined;
  const respond = useRespond();
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<TroubleWords>();

  const run = async (body: RespondBody): Promise<boolean> => {
    if (sending || interactionId === undefined) return false;
    setSending(true);
    setTrouble(undefined);
    try {
      const result = await respond(interactionId, body);
      if (result.status === "accepted") return true;
      if (body.action === "cancel" && result.problem.code !== "INVALID_RESPONSE") return true;
      setTrouble({ title: result.problem.detail, wayOut: "Send it as a message instead." });
      return false;
    } catch (error: unknown) {
      setTrouble(toCallTroubleWords(error));
      return false;
    } finally {
      setSending(false);
    }
  };
  return {
    sending,
    trouble,
    reply: (text) => run({ action: "submit", reply: text }),
    dismiss: () => run({ action: "cancel" }),
  };
}
