/**
 * The policy of all pages. `style-src-attr` and `trusted-types` exist for HTML previews, which are rendered in `<iframe
 * sandbox srcdoc>`. Such a frame is not a fetch, so it needs no `frame-src`. It inherits this policy and narrows it
 * with its own `<meta>` policy; both together allow `style` attributes and `data:` images. `srcdoc` is a Trusted Types
 * sink, filled through `holdpoint-preview`. The other two policies are for the URLs of the service worker and of the
 * worker that parses code. No other policy can be created.
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

/** Set on every answer. */
export const SECURITY_HEADERS: ReadonlyMap<string, string> = new Map([
  ["Content-Security-Policy", CONTENT_SECURITY_POLICY],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Permissions-Policy", UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", ")],
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
]);
