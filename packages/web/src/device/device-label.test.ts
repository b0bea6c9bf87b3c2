import { expect, test } from "vitest";

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
  ["curl/8", "Browser"],
])("%s is %s", (userAgent, label) => {
  expect(toDeviceLabel(userAgent)).toBe(label);
});
