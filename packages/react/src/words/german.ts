import type { ReactText } from "./english.ts";
import { APPROVAL } from "./german/approval.ts";
import { CARDS } from "./german/cards.ts";
import { COMPLETED } from "./german/completed.ts";
import { CONVERSATION } from "./german/conversation.ts";
import { FORM } from "./german/form.ts";
import { GIVEN } from "./german/given.ts";
import { PARTS } from "./german/parts.ts";
import { QUESTION } from "./german/question.ts";
import { TROUBLE } from "./german/trouble.ts";
import type { Texts } from "./text.ts";

/** Every text that this package shows, in German. */
export const GERMAN: Texts<ReactText> = {
  ...PARTS,
  ...CARDS,
  ...APPROVAL,
  ...COMPLETED,
  ...FORM,
  ...QUESTION,
  ...TROUBLE,
  ...GIVEN,
  ...CONVERSATION,
};
