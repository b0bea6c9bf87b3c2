import type { ReactText, Texts } from "@holdpoint/react/words";
import { GERMAN as REACT } from "@holdpoint/react/words/german";

import type { WebText } from "./english.ts";
import { DEVICES } from "./german/devices.ts";
import { FOLDER } from "./german/folder.ts";
import { GRANTS } from "./german/grants.ts";
import { HISTORY } from "./german/history.ts";
import { LAUNCH } from "./german/launch.ts";
import { NOTIFICATIONS } from "./german/notifications.ts";
import { PAGE } from "./german/page.ts";
import { PALETTE } from "./german/palette.ts";
import { SNOOZE } from "./german/snooze.ts";

/** Every text of the page and its cards, in German. */
export const GERMAN: Texts<WebText | ReactText> = {
  ...REACT,
  ...PAGE,
  ...GRANTS,
  ...DEVICES,
  ...NOTIFICATIONS,
  ...LAUNCH,
  ...FOLDER,
  ...SNOOZE,
  ...PALETTE,
  ...HISTORY,
};
