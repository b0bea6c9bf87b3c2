import type { CONVERSATION_TEXTS } from "../english/conversation.ts";
import type { Texts } from "../text.ts";

export const CONVERSATION: Texts<(typeof CONVERSATION_TEXTS)[number]> = {
  "The queue": "Die Warteschlange",
  "The suggestions": "Die Vorschläge",
  "The tool call": "Der Werkzeugaufruf",
  "The way to pending interactions": "Der Weg zu offenen Anfragen",
};
