import type { Texts } from "@holdpoint/react/words";
import { GERMAN as REACT } from "@holdpoint/react/words/german";

import { AGENTS } from "./german/agents.ts";
import { ARCHIVE } from "./german/archive.ts";
import { DEVICES } from "./german/devices.ts";
import { FOLDER } from "./german/folder.ts";
import { GRANTS } from "./german/grants.ts";
import { HISTORY } from "./german/history.ts";
import { INBOX } from "./german/inbox.ts";
import { LAUNCH } from "./german/launch.ts";
import { MODEL } from "./german/model.ts";
import { NOTIFICATIONS } from "./german/notifications.ts";
import { PAGE } from "./german/page.ts";
import { PALETTE } from "./german/palette.ts";
import { SESSIONS } from "./german/sessions.ts";
import { SHELL } from "./german/shell.ts";
import { SNOOZE } from "./german/snooze.ts";

export { GERMAN_FRAMES, GERMAN_SAYINGS } from "@holdpoint/react/words/german";

/** Every English text of the page and its cards, which is its key, with its German. */
export const GERMAN = {
  ...REACT,
  ...PAGE,
  ...ARCHIVE,
  ...GRANTS,
  ...DEVICES,
  ...NOTIFICATIONS,
  ...LAUNCH,
  ...FOLDER,
  ...SNOOZE,
  ...PALETTE,
  ...HISTORY,
  ...INBOX,
  ...SHELL,
  ...SESSIONS,
  ...AGENTS,
  ...MODEL,
} satisfies Texts;

/** A text of the page or its cards. */
export type PageText = keyof typeof GERMAN;
