import type { SessionView } from "@holdpoint/client";
import { isHolding, type Interaction } from "@holdpoint/protocol";

import type { Words } from "../words/use-words.ts";

/** The effect of sending. */
export type ComposerMode =
  | { readonly type: "send" }
  /** A turn is running: the message waits until it ends. */
  | { readonly type: "queue" }
  /** The agent waits for exactly one question, or form with one text: the text can be its answer, or a message. */
  | { readonly type: "choose"; readonly question: Interaction };

export function toComposerMode(
  view: Pick<SessionView, "status" | "turnId" | "interactions">,
  canRespond: boolean,
): ComposerMode {
  const questions = [...view.interactions.values()].filter(
    (one) => isHolding(one) && (one.kind === "question" || soleTextField(one) !== undefined),
  );
  const [question, ...others] = questions;
  if (canRespond && question !== undefined && others.length === 0) {
    return { type: "choose", question };
  }
  return { type: isBusy(view) ? "queue" : "send" };
}

/** The name of the only field of a form that asks for a single text, such as the form of `ask_user`. */
export function soleTextField({ form }: Interaction): string | undefined {
  const [[name, field] = [], ...others] = Object.entries(form?.schema.properties ?? {});
  if (field?.type !== "string" || others.length > 0) return undefined;
  // The composer shows its text to everyone.
  return "sensitive" in field && field.sensitive === true ? undefined : name;
}

/** Whether there is a turn that a message would wait for, and that can be stopped. */
export function isBusy({ status, turnId }: Pick<SessionView, "status" | "turnId">): boolean {
  return (
    turnId !== undefined || status === "running" || status === "waiting" || status === "parked"
  );
}

/** Explains the effect of sending while the person types; undefined for a plain message. */
export function toComposerHint(mode: ComposerMode): Words | undefined {
  switch (mode.type) {
    case "send":
      return undefined;
    case "queue":
      return "Your message waits until this turn ends";
    case "choose":
      return "Answer the question, or skip it?";
  }
}
