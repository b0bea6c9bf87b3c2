import { DEVICES_TEXTS } from "./english/devices.ts";
import { FOLDER_TEXTS } from "./english/folder.ts";
import { GRANTS_TEXTS } from "./english/grants.ts";
import { HISTORY_TEXTS } from "./english/history.ts";
import { LAUNCH_TEXTS } from "./english/launch.ts";
import { NOTIFICATIONS_TEXTS } from "./english/notifications.ts";
import { PAGE_TEXTS } from "./english/page.ts";
import { PALETTE_TEXTS } from "./english/palette.ts";
import { SNOOZE_TEXTS } from "./english/snooze.ts";

/** Every text that this package shows, in English. A text is its own key; `{name}` is filled in, `|` parts singular and plural. */
export const ENGLISH_TEXTS: readonly WebText[] = [
  ...PAGE_TEXTS,
  ...GRANTS_TEXTS,
  ...DEVICES_TEXTS,
  ...NOTIFICATIONS_TEXTS,
  ...LAUNCH_TEXTS,
  ...FOLDER_TEXTS,
  ...SNOOZE_TEXTS,
  ...PALETTE_TEXTS,
  ...HISTORY_TEXTS,
];

export type WebText =
  | (typeof PAGE_TEXTS)[number]
  | (typeof GRANTS_TEXTS)[number]
  | (typeof DEVICES_TEXTS)[number]
  | (typeof NOTIFICATIONS_TEXTS)[number]
  | (typeof LAUNCH_TEXTS)[number]
  | (typeof HISTORY_TEXTS)[number]
  | (typeof PALETTE_TEXTS)[number]
  | (typeof SNOOZE_TEXTS)[number]
  | (typeof FOLDER_TEXTS)[number];
