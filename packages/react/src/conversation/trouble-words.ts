import { ClientError } from "@holdpoint/client";
import { ProtocolError, type AgentErrorCode } from "@holdpoint/protocol";

/** What happened, and the way out. */
export interface TroubleWords {
  readonly title: string;
  readonly wayOut: string;
}

const agentTrouble: Readonly<Record<AgentErrorCode, TroubleWords>> = {
  AGENT_UNAUTHENTICATED: {
    title: "The agent is not signed in",
    wayOut: "Set a valid API key or sign in where the gateway runs, then send your message again.",
  },
  AGENT_OVERLOADED: {
    title: "The model is overloaded",
    wayOut: "Nothing is wrong here. Wait a minute and send your message again.",
  },
  AGENT_RATE_LIMITED: {
    title: "The model's usage limit is reached",
    wayOut: "Wait until the limit resets, then send your message again.",
  },
  AGENT_UNREACHABLE: {
    title: "The model's service cannot be reached",
    wayOut: "Check the network of the machine that runs the gateway, then send your message again.",
  },
  AGENT_CRASHED: {
    title: "The agent's process ended unexpectedly",
    wayOut: "The conversation is kept. Send a message to start the agent again.",
  },
  GATEWAY_RESTARTED: {
    title: "The gateway was restarted while the agent worked",
    wayOut: "The conversation is kept. Send a message to go on.",
  },
  AGENT_FAILED: {
    title: "The agent reported an error",
    wayOut: "The conversation is kept. Send a message to try again.",
  },
};

export function toAgentTroubleWords(code: AgentErrorCode): TroubleWords {
  return agentTrouble[code];
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
    case "STORE_UNAVAILABLE":
      return { title: "The gateway is stopping or busy", wayOut: "Try again in a moment." };
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
