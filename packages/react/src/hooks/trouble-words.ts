import { ClientError } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";

/** What happened, and the way out. */
export interface TroubleWords {
  readonly title: string;
  readonly wayOut: string;
}

/** Why a call to the gateway failed, for the person who made it; never empty. */
export function toCallTroubleWords(error: unknown): TroubleWords {
  if (ClientError.isInstance(error)) {
    return {
      title: "The gateway cannot be reached",
      wayOut: "Try again when the connection is back.",
    };
  }
  if (!ProtocolError.isInstance(error)) {
    return { title: "Something went wrong in this page", wayOut: "Try again, or reload the page." };
  }
  switch (error.code) {
    case "UNAUTHENTICATED":
      return {
        title: "This browser is not signed in any more",
        wayOut: "Open a new launch link from the terminal that runs the gateway.",
      };
    case "DRAINING":
      return { title: "The gateway is stopping", wayOut: "Try again in a moment." };
    case "STORE_UNAVAILABLE":
      return {
        title: "The gateway could not store this",
        wayOut: "Its disk may be full; `holdpoint doctor` says more. Then try again.",
      };
    case "RATE_LIMITED":
      return { title: "Too many requests", wayOut: "Wait a moment and try again." };
    case "TOO_LARGE":
      return { title: "This is too long", wayOut: "Shorten it, or put it into a file." };
    case "NOT_FOUND":
      return { title: "This is not there any more", wayOut: "It was deleted or has ended." };
    default:
      return { title: error.message || "The gateway refused", wayOut: "Change it and try again." };
  }
}
