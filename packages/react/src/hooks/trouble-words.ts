import { ClientError } from "@holdpoint/client";
import { ProtocolError, type Saying } from "@holdpoint/protocol";

import { ENGLISH, translateTo, type Language } from "../words/translate.ts";
import type { Say, Words } from "../words/use-words.ts";

/** A failure, and its remedy. */
export interface TroubleWords {
  readonly title: string;
  readonly wayOut: string;
}

/** Explains a failed call to the gateway to the person who made it. Never empty. */
export function toCallTroubleWords(error: unknown, language: Language = ENGLISH): TroubleWords {
  const say: Say = translateTo(language);
  const [title, wayOut] = toKnownWords(error);
  return { title: say.told(title, toDetail(error, title)), wayOut: say(wayOut) };
}

/** The errors of fields, by field name; empty if the gateway rejected none. */
export function toFieldTroubles(
  error: unknown,
  language: Language = ENGLISH,
): Readonly<Record<string, string>> {
  if (!ProtocolError.isInstance(error)) return {};
  const say: Say = translateTo(language);
  const { fieldErrors = {} } = error.extras;
  const fields = Object.entries(fieldErrors).map(([field, text]) => {
    return [field, say.told(text, toDetail(error, text))] as const;
  });
  return Object.fromEntries(fields);
}

/** The sayings of the gateway's detail, if that is the title. */
function toDetail(error: unknown, title: string): readonly Saying[] | undefined {
  const isOwn = ProtocolError.isInstance(error) && error.message === title;
  return isOwn ? error.extras.said?.["detail"] : undefined;
}

/** The title and the remedy. The title is the gateway's own for an unknown error. */
function toKnownWords(error: unknown): readonly [title: string, wayOut: Words] {
  if (ClientError.isInstance(error)) {
    return [
      "The gateway cannot be reached" satisfies Words,
      "Try again when the connection is back.",
    ];
  }
  if (!ProtocolError.isInstance(error)) {
    return ["Something went wrong in this page" satisfies Words, "Try again, or reload the page."];
  }
  switch (error.code) {
    case "UNAUTHENTICATED":
      return [
        "This browser is no longer signed in" satisfies Words,
        "Open a new launch link from the terminal that runs the gateway.",
      ];
    case "DRAINING":
      return ["The gateway is stopping" satisfies Words, "Try again in a moment."];
    case "NO_WORKING_NODE":
      return ["No node of the gateway is working" satisfies Words, "Try again in a moment."];
    case "STORE_UNAVAILABLE":
      return [
        "The gateway could not store this" satisfies Words,
        "Its disk may be full or its database unavailable. Run `holdpoint doctor` for details.",
      ];
    case "OUTCOME_UNKNOWN":
      return ["The gateway may not have received it" satisfies Words, "Try again in a moment."];
    case "RATE_LIMITED":
      return ["Too many requests" satisfies Words, "Try again in a moment."];
    case "NO_ROOM":
      return [
        "The gateway stores too many files" satisfies Words,
        "Delete sessions with files that you no longer need.",
      ];
    case "TOO_LARGE":
      return ["This is too long" satisfies Words, "Shorten it, or put it in a file."];
    case "NOT_FOUND":
      return ["This no longer exists" satisfies Words, "It was deleted or has ended."];
    default:
      return [error.message || "The gateway refused the request", "Change it and try again."];
  }
}
