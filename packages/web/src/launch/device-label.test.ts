import { ENGLISH, translateTo } from "@holdpoint/react/words";
import { expect, test } from "vitest";

import type { PageText } from "../words/german.ts";
import { loadPageLanguage } from "../words/page-language.ts";
import { toDeviceLabel } from "./device-label.ts";

const like = (rest: string): string => `Mozilla/5.0 ${rest}`;

test.each([
  [like("(X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36"), "Chrome on Linux"],
  [
    like("(iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1"),
    "Safari on iPhone",
  ],
  [
    like("(iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/142.0 Mobile Safari/604.1"),
    "Chrome on iPhone",
  ],
  [like("(Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36 Edg/142.0"), "Edge on Windows"],
  [
    like("(Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0"),
    "Firefox on Mac",
  ],
  [like("(Linux; Android 16) Chrome/142.0 Mobile Safari/537.36"), "Chrome on Android"],
  [
    like("(X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/142.0 Safari/537.36"),
    "Chrome on Linux",
  ],
  [
    like("(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15"),
    "Safari on Mac",
  ],
  [like("(iPad; CPU OS 19_0 like Mac OS X) FxiOS/140.0 Mobile Safari/605.1.15"), "Firefox on iPad"],
  [like("(iPhone; CPU iPhone OS 19_0 like Mac OS X) EdgiOS/142.0 Safari/604.1"), "Edge on iPhone"],
  [like("(Linux; Android 16) Chrome/142.0 Mobile Safari/537.36 EdgA/142.0"), "Edge on Android"],
  [like("(Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"), "Firefox on Android"],
  [
    like("(Linux; Android 16; SM-S931B) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36"),
    "Samsung Internet on Android",
  ],
  [like("(X11; CrOS x86_64 14541.0.0) Chrome/142.0 Safari/537.36"), "Chrome on ChromeOS"],
  [like("(Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36 OPR/124.0"), "Opera on Windows"],
  ["curl/8", "Browser"],
])("%s is %s", (userAgent, label) => {
  expect(toDeviceLabel(userAgent, translateTo(ENGLISH))).toBe(label);
});

test("a device names itself in the language of its page", async () => {
  const say = translateTo<PageText>(await loadPageLanguage("de"));
  expect(toDeviceLabel(like("(X11; Linux x86_64) Chrome/142.0 Safari/537.36"), say)).toBe(
    "Chrome auf Linux",
  );
});
