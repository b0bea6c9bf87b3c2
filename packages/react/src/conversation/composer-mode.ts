import type { SessionView } from "@holdpoint/client";
import { isHolding, type Interaction } from "@holdpoint/protocol";

/** What sending does now. */
export type ComposerMode =
  | { readonly type: "send" }
  /** A turn runs: the message waits behind it. */
  | { readonly type: "queue" }
  /** Exactly one question holds the agent: the text can be its answer, or a message instead of it. */
  | { readonly type: "choose"; readonly question: Interaction };

export function toComposerMode(
  view: Pick<SessionView, "status" | "turnId" | "interactions">,
  canRespond: boolean,
): ComposerMode {
  const questions = [...view.interactions.values()].filter(
    (one) => one.kind === "question" && isHolding(one),
  );
  const [question, ...others] = questions;
  if (canRespond && question !== undefined && others.length === 0) {
    return { type: "choose", question };
  }
  return { type: isBusy(view) ? "queue" : "send" };
}

/** Whether there is a turn that a message would wait for and that can be stopped. */
export function isBusy({ status, turnId }: Pick<SessionView, "status" | "turnId">): boolean {
  return (
    turnId !== undefined || status === "running" || status === "waiting" || status === "parked"
  );
}

/** What sending will do, shown once the person types; undefined for a plain message. */
export function toComposerHint(mode: ComposerMode): string | undefined {
  switch (mode.type) {
    case "send":
      return undefined;
    case "queue":
      return "Your message waits until this turn ends";
    case "choose":
      return "The answer to the question, or a message instead?";
  }
}
