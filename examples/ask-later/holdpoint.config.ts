import { defineConfig } from "holdpoint";

import { createAskLater } from "./ask-later.ts";
import { postReminderTo } from "./post-reminder.ts";

const { ASK_LATER_WAIT_MS = "60000", ASK_LATER_WEBHOOK } = process.env;

export default defineConfig({
  tools: [
    createAskLater({
      waitMs: Number(ASK_LATER_WAIT_MS),
      // Without a webhook the inbox of the page is the only reminder.
      remind: ASK_LATER_WEBHOOK ? postReminderTo(ASK_LATER_WEBHOOK) : async () => {},
    }),
  ],
});
