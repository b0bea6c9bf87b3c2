import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test, vi } from "vitest";

import {
  ask,
  luxon,
  named,
  PAGES,
  type PagedAnswer,
  type PagedScene,
  reasonOf,
  serveTools,
  TOKENS,
  VERSION,
} from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";

/** A client of the protocol's own SDK. */
async function connect(
  { url }: PagedScene,
  capabilities: ConstructorParameters<typeof Client>[1],
): Promise<Client> {
  const client = new Client({ name: "tester", version: "1.0.0" }, capabilities);
  const requestInit = { headers: { authorization: `Bearer ${TOKENS.ann}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

const modern = { versionNegotiation: { mode: { pin: VERSION } } } as const;

describe("a client of 2026-07-28", () => {
  test("negotiates the version, and lists and calls tools without a session", async () => {
    await using served = await serveTools();
    const client = await connect(served, { versionNegotiation: { mode: "auto" } });
    expect(client.getNegotiatedProtocolVersion()).toBe(VERSION);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["ask_user", "get_answers"]);
    const called = client.callTool(ask);
    await waitFor(() => expect(served.tools.calls).toHaveLength(1));
    expect(served.tools.calls[0]!.request).toMatchObject({ sessionId: "ses_ann", ...named(ask) });
    served.tools.calls[0]!.ask("int_1");
    served.tools.calls[0]!.finish(luxon);
    expect(await called).toMatchObject({ content: [{ text: '"luxon"' }] });
    await client.close();
  });

  test("waits without pages, with progress, and is asked to fetch the answer at its limit", async () => {
    await using served = await serveTools();
    const client = await connect(served, modern);
    const onprogress = vi.fn<() => void>();
    const called = client.callTool(ask, { onprogress, timeout: 600_000 });
    await waitFor(() => expect(served.tools.calls).toHaveLength(1));
    served.tools.calls[0]!.ask("int_1");
    await waitFor(async () => {
      await served.clock.advance(15_000);
      expect(onprogress).toHaveBeenCalled();
    });
    await served.clock.advance(270_000);
    expect(await called).toMatchObject({ structuredContent: { status: "queued" } });
    await client.close();
  });

  test("gets its call reported as cancelled when it leaves", async () => {
    await using served = await serveTools();
    const leaving = new AbortController();
    const called = served.send(ask, { signal: leaving.signal });
    called.catch(() => undefined);
    await waitFor(() => expect(served.tools.calls).toHaveLength(1));
    leaving.abort();
    await waitFor(() => expect(served.tools.calls[0]!.signal.aborted).toBe(true));
  });
});

describe("a client that shows pages", () => {
  test("is sent to the card's page, and gets the answer when it comes back", async () => {
    await using served = await serveTools();
    const client = await connect(served, { ...modern, capabilities: PAGES });
    const shown: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      shown.push(params);
      return { action: "accept" };
    });
    const called = client.callTool(ask);
    await waitFor(() => expect(served.tools.calls).toHaveLength(1));
    served.tools.calls[0]!.ask("int_1");
    await waitFor(() => expect(shown).toHaveLength(1));
    expect(shown[0]).toMatchObject({ mode: "url", url: "https://desk.example/i/int_1" });
    served.tools.calls[0]!.finish(luxon);
    expect(await called).toMatchObject({ content: [{ text: '"luxon"' }] });
    expect(served.tools.calls).toHaveLength(1);
    await client.close();
  });

  test("is sent to the next page of the same call, with a new state each time", async () => {
    await using served = await serveTools();
    const { state, call } = await served.asked();
    const again = served.send({ ...ask, requestState: state });
    call.ask("int_2");
    const { result } = await again;
    expect(result?.inputRequests?.page.params.url).toBe("https://desk.example/i/int_2");
    await waitFor(async () => {
      const replayed = await served.send({ ...ask, requestState: state });
      expect(reasonOf(replayed)).toBe("used_request_state");
    });
    const last = served.send({ ...ask, requestState: result!.requestState! });
    call.finish(luxon);
    expect((await last).result).toMatchObject({ content: [{ text: '"luxon"' }] });
  });

  test("may leave and come back, and its request stays open", async () => {
    const info = vi.fn<() => void>();
    await using served = await serveTools({ log: { info, warn: info, error: info } });
    const { state, call } = await served.asked();
    const leaving = new AbortController();
    const both = [1, 2].map(() =>
      served.send({ ...ask, requestState: state }, { signal: leaving.signal }),
    );
    expect(reasonOf(await Promise.race(both))).toBe("request_state_in_use");
    leaving.abort();
    await Promise.allSettled(both);
    await waitFor(() => expect(info).toHaveBeenCalledTimes(3));
    call.finish(luxon);
    const { result } = await served.send({ ...ask, requestState: state });
    expect(result).toMatchObject({ content: [{ text: '"luxon"' }] });
    expect(call.signal.aborted).toBe(false);
  });

  test.each([
    ["raw", 60_000],
    ["claude-code", 0],
  ])(
    "[R-5] withdraws its question when it leaves while it waits: %s after %i ms",
    async (name, graceMs) => {
      const info = vi.fn<() => void>();
      await using served = await serveTools({ log: { info, warn: info, error: info } });
      const { state, call } = await served.asked();
      await served.clock.advance(24 * 60 * 60_000);
      expect(call.signal.aborted).toBe(false);
      const leaving = new AbortController();
      const { signal } = leaving;
      const both = [1, 2].map(() => served.send({ ...ask, requestState: state }, { signal, name }));
      await Promise.race(both);
      leaving.abort();
      await Promise.allSettled(both);
      await waitFor(() => expect(info).toHaveBeenCalledTimes(3));
      await served.clock.advance(Math.max(0, graceMs - 1));
      expect(call.signal.aborted).toBe(graceMs === 0);
      await served.clock.advance(1);
      expect(call.signal.aborted).toBe(true);
      expect(served.tools.calls).toHaveLength(1);
    },
  );

  test("has answered nothing if it does not open the page", async () => {
    await using served = await serveTools();
    const { state, call } = await served.asked();
    for (const action of ["decline", "cancel"]) {
      const leaving = new AbortController();
      const inputResponses = { page: { action, content: { answer: "yes" } } };
      const waits = served.send(
        { ...ask, inputResponses, requestState: state },
        { signal: leaving.signal },
      );
      const refused = vi.fn<() => void>();
      waits.catch(refused);
      await served.clock.advance(1000);
      leaving.abort();
      await waitFor(() => expect(refused).toHaveBeenCalled());
    }
    expect(call.signal.aborted).toBe(false);
    call.finish(luxon);
    await waitFor(async () =>
      expect(await served.send({ ...ask, requestState: state })).toHaveProperty("result"),
    );
  });

  test("comes back a few times, and then gets its answer as other clients do", async () => {
    await using served = await serveTools();
    let { state } = await served.asked();
    for (let waits = 1; waits <= 6; waits += 1) {
      const waiting = served.send({ ...ask, requestState: state });
      const { result } = await advanceUntil(served, waiting);
      expect(result?.inputRequests).toBeUndefined();
      state = result!.requestState!;
    }
    const { result } = await served.send({ ...ask, requestState: state });
    expect(result).toMatchObject({ structuredContent: { status: "queued" } });
  });

  test("finds its call again after a restart of the gateway, and only once", async () => {
    let state = "";
    let toolCallId = "";
    {
      await using before = await serveTools();
      const started = await before.asked();
      state = started.state;
      toolCallId = started.call.request.toolCallId;
    }
    await using served = await serveTools();
    served.tools.logged.set(toolCallId, { asked: "int_1", isOver: false });
    const back = served.send({ ...ask, requestState: state });
    await waitFor(() => expect(served.tools.calls).toHaveLength(1));
    const [call] = served.tools.calls;
    expect(call!.request).toMatchObject({ toolCallId, comesAgain: true, ...named(ask) });
    call!.ask("int_1");
    call!.finish(luxon);
    expect((await back).result).toMatchObject({ content: [{ text: '"luxon"' }] });
    await waitFor(async () => {
      const replayed = await served.send({ ...ask, requestState: state });
      expect(reasonOf(replayed)).toBe("used_request_state");
    });
    expect(served.tools.calls).toHaveLength(1);
  });

  test("gets from the log the result from before the restart, and nothing runs again", async () => {
    let state = "";
    let toolCallId = "";
    {
      await using before = await serveTools();
      const started = await before.asked();
      state = started.state;
      toolCallId = started.call.request.toolCallId;
    }
    await using served = await serveTools();
    served.tools.logged.set(toolCallId, { asked: "int_1", isOver: true, result: luxon });
    const { result } = await served.send({ ...ask, requestState: state });
    expect(result).toMatchObject({ content: [{ text: '"luxon"' }] });
    expect(served.tools.calls).toEqual([]);
  });

  test("keeps its request when the gateway stops while it waits", async () => {
    await using served = await serveTools();
    const { state, call } = await served.asked();
    const waiting = [1, 2].map(() =>
      served.send({ ...ask, requestState: state }, { name: "claude-code" }),
    );
    expect(reasonOf(await Promise.race(waiting))).toBe("request_state_in_use");
    await Promise.allSettled([served.server.close(), ...waiting]);
    expect(call.signal.aborted).toBe(false);
  });

  test("has a limited number of held calls, and the next one waits as for other clients", async () => {
    await using served = await serveTools();
    const { runningCalls } = CREDENTIAL_LIMITS;
    for (let count = 1; count <= runningCalls; count += 1) await served.asked(`int_${count}`);
    const leaving = new AbortController();
    const waiting = served.send(ask, { signal: leaving.signal });
    waiting.catch(() => undefined);
    await waitFor(() => expect(served.tools.calls).toHaveLength(runningCalls + 1));
    const last = served.tools.calls.at(-1)!;
    last.ask("int_last");
    last.finish(luxon);
    expect((await waiting).result).toMatchObject({ content: [{ text: '"luxon"' }] });
  });

  test("loses its calls with its token", async () => {
    await using served = await serveTools();
    const { call } = await served.asked();
    await served.credentials.revoke("tok_ann");
    await waitFor(() => expect(call.signal.aborted).toBe(true));
  });
});

/** Lets time pass until it is answered. */
async function advanceUntil(
  { clock }: PagedScene,
  waiting: Promise<PagedAnswer>,
): Promise<PagedAnswer> {
  let isOver = false;
  void waiting.then(() => (isOver = true));
  await waitFor(async () => {
    await clock.advance(10_000);
    expect(isOver).toBe(true);
  });
  return waiting;
}
