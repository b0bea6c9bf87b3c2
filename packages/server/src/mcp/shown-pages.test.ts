import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";

import { ask, luxon, PAGES, serveTools, TOKENS } from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";

type Action = "accept" | "cancel" | "decline";

/** A client of 2025-11-25 that answers every page with this action, and the pages it received. */
async function connect(url: string, token: string, action: Action) {
  const client = new Client({ name: "tester", version: "1.0.0" }, { capabilities: PAGES });
  const heard: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    if (params.mode === "url") heard.push(`${params.elicitationId} at ${params.url}`);
    return { action };
  });
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    heard.push(`${params.elicitationId} is done`);
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return { client, heard, [Symbol.asyncDispose]: () => client.close() };
}

test.each<Action>(["accept", "decline", "cancel"])(
  "a client of 2025-11-25 shows each page of its call and keeps waiting when it answers %s",
  async (action) => {
    await using served = await serveTools();
    await using connected = await connect(`${served.url}/mcp`, TOKENS.ann, action);
    const { client, heard } = connected;
    const called = client.callTool(ask);
    await waitFor(() => expect(served.tools.calls).toHaveLength(1));
    const [call] = served.tools.calls;
    call!.ask("int_1");
    await waitFor(() => expect(heard).toEqual(["int_1 at https://desk.example/i/int_1"]));
    call!.ask("int_2");
    await waitFor(() => expect(heard).toHaveLength(3));
    expect(heard.toSorted()).toEqual([
      "int_1 at https://desk.example/i/int_1",
      "int_1 is done",
      "int_2 at https://desk.example/i/int_2",
    ]);
    expect(call!.signal.aborted).toBe(false);
    expect(call!.request.comesWithinMs).toBe(60_000);
    call!.finish(luxon);
    expect(await called).toMatchObject({ content: [{ text: '"luxon"' }] });
    await waitFor(() => expect(heard).toContain("int_2 is done"));
  },
);

test("an agent that the gateway has started is shown no page of its cards", async () => {
  await using served = await serveTools();
  const access = served.server.openToolAccess("ses_own");
  await using connected = await connect(access.url, access.token, "accept");
  const called = connected.client.callTool(ask);
  await waitFor(() => expect(served.tools.calls).toHaveLength(1));
  served.tools.calls[0]!.ask("int_1");
  await served.clock.advance(1000);
  expect(served.tools.calls[0]!.request.comesWithinMs).toBeUndefined();
  served.tools.calls[0]!.finish(luxon);
  expect(await called).toMatchObject({ content: [{ text: '"luxon"' }] });
  expect(connected.heard).toEqual([]);
});
