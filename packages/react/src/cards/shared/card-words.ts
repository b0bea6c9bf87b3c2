import type { Delivery, Interaction } from "@holdpoint/protocol";

import type { Say, Words } from "../../words/use-words.ts";
import type { CardState, ReadOnlyReason } from "./card-state.ts";

type AnsweredState = CardState & { phase: "answered_here" | "answered_elsewhere" };

/** The text for a card's state. Each state has its own. */
export interface StateWords {
  /** The state in a few words, announced to screen readers when it changes. */
  readonly headline: string;
  /** The meaning for the person, unless it is obvious. */
  readonly detail?: string;
}

/** Texts that depend only on the state's name. */
interface FixedWords {
  readonly headline: Words;
  readonly detail?: Words;
}

const READ_ONLY_WORDS: Readonly<Record<ReadOnlyReason, FixedWords>> = {
  interaction_off: {
    headline: "Answering is off on this device",
    detail: "Turn it on to answer here, or answer on another device.",
  },
  no_right: {
    headline: "View only",
    detail: "You need permission to answer.",
  },
};

export function toStateWords(state: CardState, say: Say): StateWords {
  switch (state.phase) {
    case "pending":
      return { headline: say("Waiting for you") };
    case "parked":
      return {
        headline: say("Parked until you answer"),
        detail: say("Nothing runs until then. Your answer restarts the agent at this step."),
      };
    case "queued":
      return {
        headline: say("The agent moved on"),
        detail: say("Your answer will reach it as a message."),
      };
    case "submitting":
      return { headline: say("Sending…") };
    case "failed":
      return failedWords(state.message, say);
    case "invalid":
      return {
        headline: say("Not accepted yet"),
        detail: asSentence(say.translate(state.message)),
      };
    case "changed":
      return {
        headline: say("The request changed"),
        detail: say("Nothing was sent. Review it again before you decide."),
      };
    case "answered_here":
      return answeredWords(say("Submitted"), state, say);
    case "answered_elsewhere":
      return answeredWords(say("Answered on another device"), state, say);
    case "expired":
      return { headline: say("Time ran out"), detail: say(expiredDetail(state)) };
    case "orphaned":
      return {
        headline: say("The agent stopped"),
        detail: say(orphanedDetail(state)),
      };
    case "withdrawn":
      return {
        headline: say("Withdrawn"),
        detail:
          state.reason === undefined
            ? say("The agent continued without it.")
            : asSentence(say.translate(state.reason)),
      };
    case "read_only":
      return readOnlyWords(READ_ONLY_WORDS[state.why], say);
  }
}

/** Without a message, the response may have arrived. */
function failedWords(message: string | undefined, say: Say): StateWords {
  const isUnsure = message === undefined;
  const why = isUnsure ? say("The gateway may not have received it") : say.translate(message);
  return {
    headline: say(isUnsure ? "Not confirmed" : "Not sent"),
    detail: say("{why} Your answer is kept here.", { why: asSentence(why) }),
  };
}

function readOnlyWords({ headline, detail }: FixedWords, say: Say): StateWords {
  return { headline: say(headline), ...(detail !== undefined && { detail: say(detail) }) };
}

function answeredWords(headline: string, state: AnsweredState, say: Say): StateWords {
  const { failure } = state;
  if (failure === undefined) return { headline, detail: say(deliveryWords(state)) };
  return {
    headline: say("{answered}, then the tool failed", { answered: headline }),
    detail: asSentence(say.translate(failure)),
  };
}

function expiredDetail(state: CardState & { readonly phase: "expired" }): Words {
  if (state.canAnswer) {
    return "The agent stopped waiting and moved on. Your answer will reach it as a message.";
  }
  if (state.takesLate) {
    return "The agent moved on without an answer. An answer from another device would still reach it.";
  }
  return state.denied
    ? "No one answered, so it was denied. It can no longer be answered."
    : "It can no longer be answered.";
}

function orphanedDetail(state: CardState & { readonly phase: "orphaned" }): Words {
  if (state.canAnswer) return "Your answer will reach it as a message.";
  return state.takesLate
    ? "An answer from another device would still reach it as a message."
    : "It can no longer be answered.";
}

/** The progress of the answer's delivery to the agent. */
export function deliveryWords({
  how,
  isProgram,
  starting,
  undoUntil,
}: {
  readonly how?: Delivery | undefined;
  readonly isProgram?: true;
  readonly starting?: true;
  readonly undoUntil?: string;
}): Words {
  if (isProgram) {
    return how === undefined ? "Kept until the program fetches it" : "Delivered to the program";
  }
  switch (how) {
    case "resumed":
      return "Delivered to the agent";
    case "user_message":
      return "Sent to the agent as a message";
    case "unknown":
      return "Delivery to the agent not confirmed";
    case "overruled":
      return "It ran anyway: it was allowed in the terminal";
    case undefined:
      if (undoUntil !== undefined) return "Sending to the agent in a moment";
      return starting ? "Restarting the agent with it" : "On its way to the agent";
  }
}

/** Shown instead of a countdown if there is no deadline, or if it no longer applies. */
export const NO_HURRY: Words = "no deadline";

/** The effect of the deadline, in a sentence. */
export function deadlineWords({ onTimeout, form }: Pick<Interaction, "onTimeout" | "form">): Words {
  if (form?.server) return "After that, the server is notified that no one answered.";
  switch (onTimeout) {
    case "wait":
      return "After that, the agent continues; a late answer still reaches it.";
    case "deny":
      return "After that, it is denied.";
    case "handler":
      return "After that, the tool decides how to continue without an answer.";
  }
}

/** The text with a full stop, unless it ends with another mark. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
