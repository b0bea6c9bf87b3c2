import { expect, test } from "vitest";

import { ask, luxon, PAGES, serveTools, TOKENS, VERSION } from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";

const traceparent = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const [NAMED, SENT] = [traceparent("a"), traceparent("b")] as const;
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const HOSTILE = [
  "a".repeat(4000),
  `${NAMED}-more`,
  `ff-${"a".repeat(32)}-${"a".repeat(16)}-01`,
  traceparent("0"),
  "",
  7,
  null,
  [NAMED],
  { traceparent: NAMED },
];

test.each([
  { client: "waits", capabilities: {} },
  { client: "shows pages", capabilities: PAGES },
  { client: "takes tasks", capabilities: TASKS },
])(
  "a call of a client that $client is in the trace that the client names",
  async ({ capabilities }) => {
    await using served = await serveTools();
    const traceOfCall = async (meta: object, header: string): Promise<string | undefined> => {
      const before = served.tools.calls.length;
      const sent = served.send(ask, { capabilities, meta, headers: { traceparent: header } });
      await waitFor(() => expect(served.tools.calls).toHaveLength(before + 1));
      const { request, finish } = served.tools.calls[before]!;
      finish(luxon);
      expect((await sent).result?.content).toMatchObject([{ text: '"luxon"' }]);
      return request.traceparent;
    };
    expect(await traceOfCall({ traceparent: NAMED }, SENT)).toBe(NAMED);
    expect(await traceOfCall({}, SENT)).toBe(SENT);
    for (const hostile of HOSTILE) {
      expect(await traceOfCall({ traceparent: hostile }, SENT)).toBe(SENT);
      expect(await traceOfCall({ traceparent: hostile }, `${SENT}-more`)).toBe(undefined);
    }
  },
);

test("a call in a session of the protocol is in the client's trace, too", async () => {
  await using served = await serveTools();
  const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    served.call("/mcp", {
      method: "POST",
      token: TOKENS.ann,
      headers: { accept: "application/json, text/event-stream", ...headers },
      body: { jsonrpc: "2.0", id: 1, ...body },
    });
  const version = "2025-11-25";
  const clientInfo = { name: "raw", version: VERSION };
  const params = { protocolVersion: version, capabilities: {}, clientInfo };
  const opened = await send({ method: "initialize", params });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
  for (const [index, meta] of [{ traceparent: NAMED }, { traceparent: HOSTILE[0] }].entries()) {
    const called = send(
      { id: 2 + index, method: "tools/call", params: { ...ask, _meta: meta } },
      { ...session, traceparent: SENT },
    );
    await waitFor(() => expect(served.tools.calls).toHaveLength(index + 1));
    const { request, finish } = served.tools.calls[index]!;
    finish(luxon);
    expect(await (await called).text()).toContain("luxon");
    expect(request.traceparent).toBe(index === 0 ? NAMED : SENT);
  }
});
