import { createFrames } from "./create-frames.ts";
import { AGENT_TROUBLE } from "./german/agent-trouble.ts";
import { APPROVAL } from "./german/approval.ts";
import { ATTACHMENTS } from "./german/attachments.ts";
import { CARDS } from "./german/cards.ts";
import { COMPLETED } from "./german/completed.ts";
import { CONVERSATION } from "./german/conversation.ts";
import { FORM } from "./german/form.ts";
import { FRAMES, GATEWAY_TEXTS } from "./german/gateway-texts.ts";
import { MODES } from "./german/modes.ts";
import { NOTES } from "./german/notes.ts";
import { PARTS } from "./german/parts.ts";
import { QUESTION } from "./german/question.ts";
import { RESPONDERS } from "./german/responders.ts";
import { RUNTIME } from "./german/runtime.ts";
import { TOOLS } from "./german/tools.ts";
import { TROUBLE } from "./german/trouble.ts";
import type { Texts } from "./text.ts";

export { GERMAN_SAYINGS } from "@holdpoint/protocol/german";

/** Texts from the gateway that contain values. */
export const GERMAN_FRAMES = createFrames(FRAMES);

/** Every English text of this package, which is its key, with its German. `{name}` is a value, `|` separates plural forms. */
export const GERMAN = {
  ...PARTS,
  ...CARDS,
  ...APPROVAL,
  ...RESPONDERS,
  ...NOTES,
  ...COMPLETED,
  ...FORM,
  ...QUESTION,
  ...TROUBLE,
  ...GATEWAY_TEXTS,
  ...FRAMES,
  ...CONVERSATION,
  ...TOOLS,
  ...AGENT_TROUBLE,
  ...RUNTIME,
  ...MODES,
  ...ATTACHMENTS,
} satisfies Texts;

/** A text of this package. */
export type ReactText = keyof typeof GERMAN;
