import type { HoldResult } from "@holdpoint/engine";
import type { InteractionResponse } from "@holdpoint/protocol";

import type { Decision } from "./tool-ask.ts";

/** A denial with a reason for the model, which then continues. */
export function deny(message: string): Decision {
  return { behavior: "deny", message };
}

/** A person's refusal, worded for the model. */
export function denyAsSaid(
  toolName: string,
  response: Pick<InteractionResponse, "action" | "reason" | "stopTurn">,
): Decision {
  const said = response.reason?.trim();
  const message =
    response.action === "cancel"
      ? `The user dismissed the request to use ${toolName} without approving it.`
      : said === undefined || said === ""
        ? `The user denied this use of ${toolName} without giving a reason. Do not try it again in another way.`
        : `The user denied this use of ${toolName}: ${said}`;
  return { behavior: "deny", message, ...(response.stopTurn === true && { interrupt: true }) };
}

/** Denies an edit whose file has changed since a person saw it, since the edit would make another change. */
export function denyChanged(toolName: string, path: string): Decision {
  return deny(
    `${toolName} was not run: ${path} has changed since the edit was shown. Read the file again, then repeat the edit.`,
  );
}

/** Denies a request that ended without an answer, which is no consent. */
export function denyUnanswered(
  toolName: string,
  result: Exclude<HoldResult, { outcome: "answered" }>,
): Decision {
  if (result.outcome === "withdrawn") {
    return deny(`${toolName} was not run, because no one could be asked: ${result.reason}`);
  }
  const later = result.takesLateAnswer
    ? "The person may still answer later. You will then get the answer in a message."
    : "This request is closed.";
  return deny(
    `No answer yet: no one has answered the request to use ${toolName} so far, and it was not run. ${later} ` +
      "Do not assume consent and do not ask the same again now. Continue with other work that does not depend " +
      "on it, or end your turn.",
  );
}
