import { AGENTS_TEXTS } from "./english/agents.ts";
import { ARCHIVE_TEXTS } from "./english/archive.ts";
import { DEVICES_TEXTS } from "./english/devices.ts";
import { FOLDER_TEXTS } from "./english/folder.ts";
import { GRANTS_TEXTS } from "./english/grants.ts";
import { HISTORY_TEXTS } from "./english/history.ts";
import { INBOX_TEXTS } from "./english/inbox.ts";
import { LAUNCH_TEXTS } from "./english/launch.ts";
import { MODEL_TEXTS } from "./english/model.ts";
import { NOTIFICATIONS_TEXTS } from "./english/notifications.ts";
import { PAGE_TEXTS } from "./english/page.ts";
import { PALETTE_TEXTS } from "./english/palette.ts";
import { SESSIONS_TEXTS } from "./english/sessions.ts";
import { SHELL_TEXTS } from "./english/shell.ts";
import { SNOOZE_TEXTS } from "./english/snooze.ts";

/** Every English text of this package, which is also its key. `{name}` is a value, `|` separates singular and plural. */
export const ENGLISH_TEXTS: readonly WebText[] = [
  ...PAGE_TEXTS,
  ...ARCHIVE_TEXTS,
  ...GRANTS_TEXTS,
  ...DEVICES_TEXTS,
  ...NOTIFICATIONS_TEXTS,
  ...LAUNCH_TEXTS,
  ...FOLDER_TEXTS,
  ...SNOOZE_TEXTS,
  ...PALETTE_TEXTS,
  ...HISTORY_TEXTS,
  ...INBOX_TEXTS,
  ...SHELL_TEXTS,
  ...SESSIONS_TEXTS,
  ...AGENTS_TEXTS,
  ...MODEL_TEXTS,
];

export type WebText =
  | (typeof PAGE_TEXTS)[number]
  | (typeof ARCHIVE_TEXTS)[number]
  | (typeof GRANTS_TEXTS)[number]
  | (typeof DEVICES_TEXTS)[number]
  | (typeof NOTIFICATIONS_TEXTS)[number]
  | (typeof LAUNCH_TEXTS)[number]
  | (typeof HISTORY_TEXTS)[number]
  | (typeof INBOX_TEXTS)[number]
  | (typeof SHELL_TEXTS)[number]
  | (typeof SESSIONS_TEXTS)[number]
  | (typeof AGENTS_TEXTS)[number]
  | (typeof MODEL_TEXTS)[number]
  | (typeof PALETTE_TEXTS)[number]
  | (typeof SNOOZE_TEXTS)[number]
  | (typeof FOLDER_TEXTS)[number];
