import {
  askedSaying,
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

/** What a target is told. The page's service worker and webhooks read it; its members are the same for both. */
export interface Message {
  readonly step: DeliveryStep | "test";
  /** Messages with the same tag are about the same: the newest one counts. */
  readonly tag: string;
  /** In English. */
  readonly title: string;
  readonly body: string;
  /** The same, to be said in any language. */
  readonly said: Readonly<Record<"body" | "title", readonly Saying[]>>;
  /** Where on the page a person answers. */
  readonly path: string;
  /** What is asked; absent where it is about many, and in a test. */
  readonly asked?: {
    readonly interactionId: string;
    readonly sessionId: string;
    readonly kind: Interaction["kind"];
    readonly agent: string;
    readonly folder: string;
    /** The groups that can answer now; absent where no group is named. */
    readonly groups?: readonly string[];
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
  /** When it is told: who can answer depends on it. */
  readonly nowMs: number;
}

/** More groups than these are not told. */
const MAX_GROUPS = 16;

/** About one interaction. It has no more of the input than the title of its card. */
export function toAskedMessage({ step, interaction, ...from }: AskedOptions): Message {
  const { interactionId, sessionId, kind } = interaction;
  // An agent may have named them.
  const groups = groupsAt(interaction, from.nowMs).slice(0, MAX_GROUPS).map(toShortName);
  const agent = toShortName(from.agent);
  const folder = folderName(from.cwd);
  return {
    step,
    tag: interactionId,
    ...toTexts(askedSaying(interaction), fromWhom(interaction, { agent, folder })),
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

/** A program works in no folder that a person knows; the name of its token and its own say more. */
function fromWhom(
  interaction: Interaction,
  from: { readonly agent: string; readonly folder: string },
): Saying {
  const { agentId } = interaction;
  return isKept(interaction) && agentId !== undefined
    ? saying("notify_from_program", { program: toShortName(agentId) })
    : saying("notify_from", from);
}

/** About so many that have no message of their own. */
export function toMoreMessage(step: DeliveryStep, count: number): Message {
  const texts = toTexts(saying("notify_more", { count }), saying("notify_name"));
  return { step, tag: MORE_TAG, ...texts, path: "/" };
}

/** Takes a message back. What it was about may be gone by now. */
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

/** What a message says in a language, by its tag such as `de-AT`; in English where that is not known here. */
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

/** The label of the demo agent is words of the gateway's; those of others are names. */
function withAgentName({ code, values = {} }: Saying, texts: SayingTexts): Saying {
  const isDemo = values["agent"] === ENGLISH_SAYINGS.agent_demo;
  return { code, values: isDemo ? { ...values, agent: texts.agent_demo } : values };
}
