import type { Texts } from "@holdpoint/react/words";

import type { DEVICES_TEXTS } from "../english/devices.ts";

export const DEVICES: Texts<(typeof DEVICES_TEXTS)[number]> = {
  Language: "Sprache",
  "Of this page, on this device.": "Dieser Seite, auf diesem Gerät.",
};
