import { AGENT_TROUBLE_TEXTS } from "./english/agent-trouble.ts";
import { APPROVAL_TEXTS } from "./english/approval.ts";
import { ATTACHMENTS_TEXTS } from "./english/attachments.ts";
import { CARDS_TEXTS } from "./english/cards.ts";
import { COMPLETED_TEXTS } from "./english/completed.ts";
import { CONVERSATION_TEXTS } from "./english/conversation.ts";
import { FORM_TEXTS } from "./english/form.ts";
import { FRAME_TEXTS, GIVEN_TEXTS } from "./english/given.ts";
import { NOTES_TEXTS } from "./english/notes.ts";
import { PARTS_TEXTS } from "./english/parts.ts";
import { QUESTION_TEXTS } from "./english/question.ts";
import { RESPONDERS_TEXTS } from "./english/responders.ts";
import { RUNTIME_TEXTS } from "./english/runtime.ts";
import { TOOLS_TEXTS } from "./english/tools.ts";
import { TROUBLE_TEXTS } from "./english/trouble.ts";

/** Every English text of this package, which is also its key. `{name}` is a value, `|` separates singular and plural. */
export const ENGLISH_TEXTS: readonly ReactText[] = [
  ...PARTS_TEXTS,
  ...CARDS_TEXTS,
  ...APPROVAL_TEXTS,
  ...RESPONDERS_TEXTS,
  ...NOTES_TEXTS,
  ...COMPLETED_TEXTS,
  ...FORM_TEXTS,
  ...QUESTION_TEXTS,
  ...TROUBLE_TEXTS,
  ...GIVEN_TEXTS,
  ...FRAME_TEXTS,
  ...CONVERSATION_TEXTS,
  ...TOOLS_TEXTS,
  ...AGENT_TROUBLE_TEXTS,
  ...RUNTIME_TEXTS,
  ...ATTACHMENTS_TEXTS,
];

export type ReactText =
  | (typeof PARTS_TEXTS)[number]
  | (typeof CARDS_TEXTS)[number]
  | (typeof APPROVAL_TEXTS)[number]
  | (typeof RESPONDERS_TEXTS)[number]
  | (typeof NOTES_TEXTS)[number]
  | (typeof COMPLETED_TEXTS)[number]
  | (typeof FORM_TEXTS)[number]
  | (typeof QUESTION_TEXTS)[number]
  | (typeof TROUBLE_TEXTS)[number]
  | (typeof GIVEN_TEXTS)[number]
  | (typeof FRAME_TEXTS)[number]
  | (typeof TOOLS_TEXTS)[number]
  | (typeof AGENT_TROUBLE_TEXTS)[number]
  | (typeof CONVERSATION_TEXTS)[number]
  | (typeof RUNTIME_TEXTS)[number]
  | (typeof ATTACHMENTS_TEXTS)[number];
