const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Whether a text is a `traceparent` of version 00. Any other is as good as none, as W3C Trace Context wants it. */
export function isTraceparent(text: string | undefined): text is string {
  return text !== undefined && TRACEPARENT.test(text);
}
