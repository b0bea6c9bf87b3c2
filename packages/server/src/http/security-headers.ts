/**
 * Previews in HTML are drawn in `<iframe sandbox srcdoc>`; `style-src-attr` and `trusted-types` are here for them
 * alone. Such a frame is not a fetch, so it needs no `frame-src`. It inherits this policy and narrows it with a
 * `<meta>` policy of its own: what it may do is what both allow, which is `style` attributes and `data:` images.
 * `srcdoc` is a Trusted Types sink; the page fills it through the first policy named here. The second one is for the address of
 * the service worker, the third for that of the worker that reads code, and no other can be made.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types holdpoint-preview holdpoint-worker holdpoint-code",
].join("; ");

const UNUSED_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "screen-wake-lock",
  "serial",
  "usb",
];

/** Set on every answer, whatever it is. */
export const SECURITY_HEADERS: ReadonlyMap<string, string> = new Map([
  ["Content-Security-Policy", CONTENT_SECURITY_POLICY],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Permissions-Policy", UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", ")],
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
]);
