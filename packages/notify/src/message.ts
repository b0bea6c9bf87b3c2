import { folderName, type Interaction, toShortName, whatIsAsked } from "@holdpoint/protocol";

import type { DeliveryStep } from "./ports/notification-store.ts";

/** What a target is told. The page's service worker and webhooks read it; its members are the same for both. */
export interface Message {
  readonly step: DeliveryStep | "test";
  /** Messages with the same tag are about the same: the newest one counts. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** Where on the page a person answers. */
  readonly path: string;
  /** What is asked; absent where it is about many, and in a test. */
  readonly asked?: {
    readonly interactionId: string;
    readonly sessionId: string;
    readonly kind: Interaction["kind"];
    readonly agent: string;
    readonly folder: string;
  };
}

/** The tag of the message about all that have no message of their own. */
export const MORE_TAG = "more";

export interface AskedOptions {
  readonly step: DeliveryStep;
  readonly interaction: Interaction;
  /** As people know the agent. */
  readonly agent: string;
  readonly cwd: string;
}

/** About one interaction. It has no more of the input than the title of its card. */
export function toAskedMessage({ step, interaction, ...from }: AskedOptions): Message {
  const { interactionId, sessionId, kind } = interaction;
  const agent = toShortName(from.agent);
  const folder = folderName(from.cwd);
  return {
    step,
    tag: interactionId,
    title: whatIsAsked(interaction),
    body: `${agent} in ${folder}`,
    path: `/i/${encodeURIComponent(interactionId)}`,
    asked: { interactionId, sessionId, kind, agent, folder },
  };
}

/** About so many that have no message of their own. */
export function toMoreMessage(step: DeliveryStep, count: number): Message {
  const title = count === 1 ? "1 more is waiting for you" : `${count} more are waiting for you`;
  return { step, tag: MORE_TAG, title, body: "Holdpoint", path: "/" };
}

/** Takes a message back. What it was about may be gone by now. */
export function toCloseMessage(tag: string): Message {
  return { step: "close", tag, title: "Answered", body: "Nothing to do here any more.", path: "/" };
}

export function toTestMessage(device: string): Message {
  return {
    step: "test",
    tag: "test",
    title: "Notifications work",
    body: `This device, ${toShortName(device)}, is told when an agent asks you.`,
    path: "/devices",
  };
}
