import type { ApprovalScope, Delivery, Interaction, Responder } from "@holdpoint/protocol";

import type { CardState, ReadOnlyReason } from "./card-state.ts";

type AnsweredState = CardState & { phase: "answered_here" | "answered_elsewhere" };

/** The words for the state of a card. Each state has its own. */
interface StateWords {
  /** The state in a few words; what a screen reader hears when it changes. */
  readonly headline: string;
  /** What it means for the person, where that is not plain. */
  readonly detail?: string;
}

const READ_ONLY_WORDS: Readonly<Record<ReadOnlyReason, StateWords>> = {
  interaction_off: {
    headline: "Answering is off on this device",
    detail: "Turn interaction on to answer here, or answer on another device.",
  },
  no_right: {
    headline: "You can look, but not answer",
    detail: "Only a person with the right to answer can.",
  },
};

export function toStateWords(state: CardState): StateWords {
  switch (state.phase) {
    case "pending":
      return { headline: "Waiting for you" };
    case "parked":
      return {
        headline: "Parked: no hurry",
        detail: "Nothing runs meanwhile. Your answer starts the agent again at this step.",
      };
    case "queued":
      return {
        headline: "The agent went on",
        detail: "Your answer will reach it as a message.",
      };
    case "submitting":
      return { headline: "Sending…" };
    case "failed":
      return {
        headline: "Not sent",
        detail: `${asSentence(state.message)} Your answer is kept here.`,
      };
    case "invalid":
      return { headline: "Not accepted yet", detail: asSentence(state.message) };
    case "changed":
      return {
        headline: "What is shown changed",
        detail: "Nothing was sent. Look again before you decide.",
      };
    case "answered_here":
      return answeredWords("Submitted", state);
    case "answered_elsewhere":
      return answeredWords("Answered on another device", state);
    case "expired":
      return { headline: "Time ran out", detail: expiredDetail(state) };
    case "orphaned":
      return {
        headline: "The agent is gone",
        detail: orphanedDetail(state),
      };
    case "withdrawn":
      return {
        headline: "No longer asked",
        detail:
          state.reason === undefined ? "The agent went on without it." : asSentence(state.reason),
      };
    case "read_only":
      return READ_ONLY_WORDS[state.why];
  }
}

function answeredWords(headline: string, state: AnsweredState): StateWords {
  const { failure } = state;
  if (failure === undefined) return { headline, detail: deliveryWords(state) };
  return { headline: `${headline}, then the tool failed`, detail: asSentence(failure) };
}

function expiredDetail(state: CardState & { readonly phase: "expired" }): string {
  if (state.canAnswer) {
    return "The agent stopped waiting and went on. Your answer will reach it as a message.";
  }
  if (state.takesLate) {
    return "The agent went on without an answer. One from another device would still reach it.";
  }
  return state.denied
    ? "Nobody answered, so it was denied. It can't be answered any more."
    : "It can't be answered any more.";
}

function orphanedDetail(state: CardState & { readonly phase: "orphaned" }): string {
  if (state.canAnswer) return "Your answer will reach it as a message.";
  return state.takesLate
    ? "An answer from another device would still reach it as a message."
    : "It can't be answered any more.";
}

/** How far the answer has come on its way to the agent. */
export function deliveryWords({
  how,
  starting,
  undoUntil,
}: {
  readonly how?: Delivery | undefined;
  readonly starting?: true;
  readonly undoUntil?: string;
}): string {
  switch (how) {
    case "resumed":
      return "The agent has it";
    case "user_message":
      return "Sent to the agent as a message";
    case "unknown":
      return "Not known whether the agent has it";
    case undefined:
      if (undoUntil !== undefined) return "The agent gets it in a moment";
      return starting ? "The agent starts again with it" : "On its way to the agent";
  }
}

/** Said when the tool could not handle the answer. */
export const FAILURE_WORDS = "The agent was told that it failed";

/** Said when the tool asked once more after this answer. */
export const ASKED_AGAIN_WORDS = "The tool asked again";

/** Who answered: "you, on this device" or "Maria, on Safari on iPhone". */
export function responderWords(by: Responder | undefined, here: boolean): string {
  if (here) return "you, on this device";
  if (by === undefined) return "somebody else";
  return `${by.person}, on ${by.client}`;
}

/** The decision of an approval, with the scope that was applied. */
export function allowedWords(scope: ApprovalScope | undefined, edited: boolean): string {
  const edits = edited ? ", with edits" : "";
  switch (scope) {
    case undefined:
    case "once":
      return `Allowed once${edits}`;
    case "session":
      return `Allowed for this session${edits}`;
    case "always":
      return `Allowed from now on${edits}`;
  }
}

export const SCOPE_BUTTON_WORDS: Readonly<Record<ApprovalScope, string>> = {
  once: "Allow once",
  session: "Allow for session",
  always: "Always allow",
};

/** On the button that allows what no agent waits for any more. */
export const LATE_ALLOW_WORDS = "Tell the agent to go ahead";

/** Said in place of a countdown: there is no deadline, or it no longer counts. */
export const NO_HURRY = "waits for you, no hurry";

/** What happens at the deadline. */
export function deadlineWords(onTimeout: Interaction["onTimeout"]): string {
  switch (onTimeout) {
    case "wait":
      return "After that the agent goes on; a late answer still reaches it.";
    case "deny":
      return "After that it is denied.";
    case "handler":
      return "After that the tool decides what to do without an answer.";
  }
}

/** The text with a full stop, unless it ends with another mark. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
