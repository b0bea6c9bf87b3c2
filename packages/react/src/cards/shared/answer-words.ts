import type { ApprovalScope, Responder } from "@holdpoint/protocol";

import type { Say, Words } from "../../words/use-words.ts";

/** For an answer that the tool could not handle. */
export const FAILURE_WORDS: Words = "The agent was notified of the failure";

/** For an answer after which the tool asked again. */
export const ASKED_AGAIN_WORDS: Words = "The tool asked again";

/** The person who answered: "you, on this device" or "Maria, on Safari on iPhone". */
export function responderWords(by: Responder | undefined, here: boolean, say: Say): string {
  if (here) return say("you, on this device");
  if (by === undefined) return say("someone else");
  return say("{person}, on {client}", { person: by.person, client: by.client });
}

/** The decision of an approval, with the scope that was applied. */
export function allowedWords(scope: ApprovalScope | undefined, edited: boolean): Words {
  switch (scope) {
    case undefined:
    case "once":
      return edited ? "Allowed once, with edits" : "Allowed once";
    case "session":
      return edited ? "Allowed for this session, with edits" : "Allowed for this session";
    case "always":
      return edited ? "Allowed from now on, with edits" : "Allowed from now on";
  }
}

export const SCOPE_BUTTON_WORDS: Readonly<Record<ApprovalScope, Words>> = {
  once: "Allow once",
  session: "Allow for session",
  always: "Always allow",
};

/** The label of Allow if no agent waits for the answer. */
export const LATE_ALLOW_WORDS: Words = "Tell the agent to go ahead";
