import {
  fieldChoices,
  isChoiceField,
  type Interaction,
  type RespondBody,
} from "@holdpoint/protocol";
import { useState } from "react";

import { toCallTroubleWords, type TroubleWords } from "../hooks/trouble-words.ts";
import { useRespond } from "../hooks/use-respond.ts";
import { useWords } from "../words/use-words.ts";
import { soleTextField, type ComposerMode } from "./composer-mode.ts";

interface ComposerAnswer {
  readonly sending: boolean;
  readonly trouble: TroubleWords | undefined;
  /** Answers with free text. Resolves to true once the gateway has it. */
  reply(text: string): Promise<boolean>;
  /** Dismisses the question. A question that is already closed counts as dismissed. */
  dismiss(): Promise<boolean>;
}

/** The response for a text. If the text is the title of a choice, it chooses that. */
function toReply(question: Interaction, text: string): RespondBody {
  const name = soleTextField(question);
  if (name === undefined) return { action: "submit", reply: text };
  const field = question.form?.schema.properties[name];
  const choices = field !== undefined && isChoiceField(field) ? fieldChoices(field) : [];
  const choice = choices.find(({ title }) => toKey(title) === toKey(text));
  return { action: "submit", values: { [name]: choice?.value ?? text } };
}

function toKey(text: string): string {
  return text.trim().toLowerCase();
}

/** Answers the only pending question from the composer. Does nothing in any other mode. */
export function useComposerAnswer(mode: ComposerMode): ComposerAnswer {
  const question = mode.type === "choose" ? mode.question : undefined;
  const interactionId = question?.interactionId;
  const respond = useRespond();
  const say = useWords();
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
      setTrouble({
        title: say.told(result.problem.detail, result.problem.said?.["detail"]),
        wayOut: say("Send it as a message instead."),
      });
      return false;
    } catch (error: unknown) {
      setTrouble(toCallTroubleWords(error, say.language));
      return false;
    } finally {
      setSending(false);
    }
  };
  return {
    sending,
    trouble,
    reply: async (text) => question !== undefined && run(toReply(question, text)),
    dismiss: () => run({ action: "cancel" }),
  };
}
