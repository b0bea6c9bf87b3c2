/** A line between a gateway and its agent, as far as a host must understand it. */
export type AgentLine =
  /** A question, in either direction. */
  | {
      readonly type: "request";
      readonly requestId: string;
      readonly subtype: string;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "response"; readonly requestId: string }
  /** The requester no longer needs a response. */
  | { readonly type: "cancel"; readonly requestId: string }
  /** Partial text and keep-alives, which may be lost. */
  | { readonly type: "passing" }
  /** Anything else: a part of the conversation. */
  | { readonly type: "message"; readonly id: string | undefined };

/** By far the most frequent lines, which never need parsing. */
const STREAM_EVENT = Buffer.from('{"type":"stream_event"');

export function parseAgentLine(line: Buffer): AgentLine {
  if (line.subarray(0, STREAM_EVENT.byteLength).equals(STREAM_EVENT)) return { type: "passing" };
  const { type, uuid, request_id: id, request, response } = parseFields(line);
  switch (type) {
    case "control_request": {
      const body = toFields(request);
      return { type: "request", requestId: String(id), subtype: String(body["subtype"]), body };
    }
    case "control_response":
      return { type: "response", requestId: String(toFields(response)["request_id"]) };
    case "control_cancel_request":
      return { type: "cancel", requestId: String(id) };
    case "keep_alive":
    case "stream_event":
    case "transcript_mirror":
      return { type: "passing" };
    default:
      return { type: "message", id: typeof uuid === "string" ? uuid : undefined };
  }
}

/** The response for another request id, without its list of the requests that were open at the time. */
export function answerTo(requestId: string, line: Buffer): Buffer {
  const fields = parseFields(line);
  const said = Object.entries(toFields(fields["response"]));
  const kept = said.filter(([name]) => !/^pending_.*_requests$/u.test(name));
  const response = { ...Object.fromEntries(kept), request_id: requestId };
  return Buffer.from(`${JSON.stringify({ ...fields, response })}\n`);
}

function parseFields(line: Buffer): Record<string, unknown> {
  try {
    return toFields(JSON.parse(line.toString("utf8")));
  } catch {
    return {};
  }
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
