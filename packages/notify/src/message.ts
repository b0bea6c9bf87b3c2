import {
  requestSaying,
  ENGLISH_SAYINGS,
  folderName,
  groupsAt,
  inEnglish,
  type Interaction,
  isKept,
  type Saying,
  saying,
  sayIn,
  type SayingTexts,
  toShortName,
} from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";

import type { DeliveryStep } from "./ports/notification-store.ts";

/** The content of a notification, for the page's service worker and for webhooks. */
export interface Message {
  readonly step: DeliveryStep | "test";
  /** A newer message replaces an older one with the same tag. */
  readonly tag: string;
  /** In English. */
  readonly title: string;
  readonly body: string;
  /** The title and body as sayings, for any language. */
  readonly said: Readonly<Record<"body" | "title", readonly Saying[]>>;
  /** The page path where a person answers. */
  readonly path: string;
  /** The interaction. Absent in summaries, withdrawals and tests. */
  readonly asked?: {
    readonly interactionId: string;
    readonly sessionId: string;
    readonly kind: Interaction["kind"];
    readonly agent: string;
    readonly folder: string;
    /** The groups that can answer now. Absent if no group is named. */
    readonly groups?: readonly string[];
  };
}

/** The tag of the summary of interactions without a separate message. */
export const MORE_TAG = "more";

export interface AskedOptions {
  readonly step: DeliveryStep;
  readonly interaction: Interaction;
  /** The agent's display name. */
  readonly agent: string;
  readonly cwd: string;
  /** The time of the message. It decides which groups can answer. */
  readonly nowMs: number;
}

/** The most groups a message lists. */
const MAX_GROUPS = 16;

/** Builds the message about one interaction. Its only text from the input is the title of the card. */
export function toAskedMessage({ step, interaction, ...from }: AskedOptions): Message {
  const { interactionId, sessionId, kind } = interaction;
  // Group names may come from an agent.
  const groups = groupsAt(interaction, from.nowMs).slice(0, MAX_GROUPS).map(toShortName);
  const agent = toShortName(from.agent);
  const folder = folderName(from.cwd);
  return {
    step,
    tag: interactionId,
    ...toTexts(requestSaying(interaction), fromWhom(interaction, { agent, folder })),
    path: `/i/${encodeURIComponent(interactionId)}`,
    asked: {
      interactionId,
      sessionId,
      kind,
      agent,
      folder,
      ...(groups.length > 0 && { groups }),
    },
  };
}

/** Names the sender. A program has no folder that a person would know, so its `agentId` (token and label) is shown. */
function fromWhom(
  interaction: Interaction,
  from: { readonly agent: string; readonly folder: string },
): Saying {
  const { agentId } = interaction;
  return isKept(interaction) && agentId !== undefined
    ? saying("notify_from_program", { program: toShortName(agentId) })
    : saying("notify_from", from);
}

/** Builds the summary of `count` interactions without a separate message. */
export function toMoreMessage(step: DeliveryStep, count: number): Message {
  const texts = toTexts(saying("notify_more", { count }), saying("notify_name"));
  return { step, tag: MORE_TAG, ...texts, path: "/" };
}

/** Builds the message that withdraws a notification. It works even if the interaction no longer exists. */
export function toCloseMessage(tag: string): Message {
  const texts = toTexts(saying("notify_answered"), saying("notify_nothing_to_do"));
  return { step: "close", tag, ...texts, path: "/" };
}

export function toTestMessage(device: string): Message {
  return {
    step: "test",
    tag: "test",
    ...toTexts(saying("notify_works"), saying("notify_told", { device: toShortName(device) })),
    path: "/devices",
  };
}

function toTexts(title: Saying, body: Saying): Pick<Message, "body" | "said" | "title"> {
  return {
    title: inEnglish(title),
    body: inEnglish(body),
    said: { title: [title], body: [body] },
  };
}

const LANGUAGES: Readonly<Record<string, SayingTexts>> = {
  en: ENGLISH_SAYINGS,
  de: GERMAN_SAYINGS,
};

/** Returns the title and body in the language of a tag such as `de-AT`. Unsupported languages fall back to English. */
export function textsOf({ said }: Message, tag = "en"): Readonly<Record<"body" | "title", string>> {
  const [primary = ""] = tag.toLowerCase().split("-", 1);
  const known = Object.hasOwn(LANGUAGES, primary) ? primary : "en";
  const texts = LANGUAGES[known] ?? ENGLISH_SAYINGS;
  const say = (sayings: readonly Saying[]) =>
    sayIn(
      sayings.map((one) => withAgentName(one, texts)),
      texts,
      { tag: known },
    );
  return { title: say(said.title), body: say(said.body) };
}

/** Translates the label of the demo agent, which is text of the gateway. Labels of other agents are names. */
function withAgentName({ code, values = {} }: Saying, texts: SayingTexts): Saying {
  const isDemo = values["agent"] === ENGLISH_SAYINGS.agent_demo;
  return { code, values: isDemo ? { ...values, agent: texts.agent_demo } : values };
}
