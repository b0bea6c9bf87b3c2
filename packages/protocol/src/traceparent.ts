const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Whether a text is a `traceparent` of version 00. As W3C Trace Context requires, any other text is ignored. */
export function isTraceparent(text: string | undefined): text is string {
  return text !== undefined && TRACEPARENT.test(text);
}
