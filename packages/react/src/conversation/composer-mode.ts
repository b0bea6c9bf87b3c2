import type { SessionView } from "@holdpoint/client";
import { isHolding, type Interaction } from "@holdpoint/protocol";

import type { Words } from "../words/use-words.ts";

/** What sending does now. */
export type ComposerMode =
  | { readonly type: "send" }
  /** A turn runs: the message waits behind it. */
  | { readonly type: "queue" }
  /** Exactly one question, or form of one text, holds the agent: what is typed can be its answer, or a message instead. */
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

/** The field of a form that asks for one text and nothing else, as that of `ask_user` does. */
export function soleTextField({ form }: Interaction): string | undefined {
  const [[name, field] = [], ...others] = Object.entries(form?.schema.properties ?? {});
  if (field?.type !== "string" || others.length > 0) return undefined;
  // What is typed here is shown to everybody.
  return "sensitive" in field && field.sensitive === true ? undefined : name;
}

/** Whether there is a turn that a message would wait for and that can be stopped. */
export function isBusy({ status, turnId }: Pick<SessionView, "status" | "turnId">): boolean {
  return (
    turnId !== undefined || status === "running" || status === "waiting" || status === "parked"
  );
}

/** What sending will do, shown once the person types; undefined for a plain message. */
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
