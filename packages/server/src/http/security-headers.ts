/**
 * Previews in HTML are drawn in `<iframe sandbox srcdoc>`. Such a frame is not a fetch, so no `frame-src` is needed
 * for it; it inherits this policy and narrows it further with its own `<meta>` policy of `default-src 'none'`.
 * `srcdoc` is a Trusted Types sink: the page sets it through a policy named `holdpoint-preview`, the only one there is.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types holdpoint-preview",
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
