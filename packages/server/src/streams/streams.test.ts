import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

import type { UnplacedEvent } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { FakeGateway } from "../testing/fake-gateway.ts";
import {
  parseFrame,
  readStream,
  type ReceivedFrame,
  type StreamReader,
} from "../testing/read-stream.ts";
import { PERSON_TOKEN, serve, type Served } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";

const AT = "2026-01-02T03:04:05.000Z";
const delta = { type: "text_delta" };
const EVENTS = "/api/sessions/ses_1/events";

function message(text: string): UnplacedEvent {
  return { type: "assistant_message", at: AT, messageId: "msg_1", text, channel: "text" };
}

async function serveSession(
  options: Parameters<typeof serve>[0] = {},
): Promise<Served<FakeGateway>> {
  const served = (await serve(options)) as Served<FakeGateway>;
  served.gateway.addSession("ses_1");
  return served;
}

async function follow(
  served: Served<FakeGateway>,
  path = EVENTS,
  headers: Record<string, string> = {},
): Promise<StreamReader> {
  const answer = await served.call(path, { headers: { accept: "text/event-stream", ...headers } });
  expect(answer.status).toBe(200);
  return readStream(answer);
}

function ids(frames: ReceivedFrame[]): (string | undefined)[] {
  return frames.map(({ id }) => id);
}

describe("a session's stream", () => {
  test("[R-7] replays, then continues live, each event once and in order", async () => {
    await using served = await serveSession();
    for (const text of ["a", "b"]) served.gateway.append("ses_1", message(text));
    const frames = await follow(served);
    expect(ids(await frames.take(2))).toEqual(["e1.1", "e1.2"]);
    for (const text of ["c", "d"]) served.gateway.append("ses_1", message(text));
    expect(ids(await frames.take(2))).toEqual(["e1.3", "e1.4"]);
    await frames.leave();
  });

  test.each([
    ["?after=1", {}, ["e1.2", "e1.3"]],
    ["", { "last-event-id": "e1.2" }, ["e1.3"]],
    ["?after=0", { "last-event-id": "e1.2" }, ["e1.3"]],
  ])("[R-7] with %s and %o continues after the cursor", async (query, headers, expected) => {
    await using served = await serveSession();
    for (const text of ["a", "b", "c"]) served.gateway.append("ses_1", message(text));
    const frames = await follow(served, EVENTS + query, headers);
    expect(ids(await frames.take(expected.length))).toEqual(expected);
    await frames.leave();
  });

  test("[R-7] resets a cursor of another history", async () => {
    await using served = await serveSession();
    served.gateway.append("ses_1", message("a"));
    const frames = await follow(served, EVENTS, { "last-event-id": "e0.7" });
    expect(await frames.take(2)).toMatchObject([
      { data: { type: "reset", epoch: "e1" } },
      { id: "e1.1" },
    ]);
    await frames.leave();
  });

  test("reports errors before the stream as problems, not streams", async () => {
    await using served = await serveSession();
    expect((await served.call("/api/sessions/ses_9/events")).status).toBe(404);
    const headers = { "last-event-id": "nonsense" };
    expect((await served.call(EVENTS, { headers })).status).toBe(400);
    const client = await served.call(`${EVENTS}?client=${"x".repeat(129)}`);
    expect(client.status).toBe(400);
  });

  test("is, as JSON, a page of the stored texts", async () => {
    await using served = await serveSession();
    for (const text of ["a", "b", "c"]) served.gateway.append("ses_1", message(text));
    const headers = { accept: "application/json" };
    const answer = await served.call(`${EVENTS}?after=1&limit=1`, { headers });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({ items: [{ ...message("b"), seq: 2 }], epoch: "e1" });
  });

  test("sends waiting text before an event, in order", async () => {
    await using served = await serveSession();
    const frames = await follow(served);
    served.gateway.append("ses_1", message("a"));
    await frames.take(1);
    served.gateway.show("ses_1", { ...delta, text: "b" });
    served.gateway.show("ses_1", { ...delta, text: "c" });
    const next = frames.take(3);
    served.gateway.append("ses_1", message("bc"));
    expect((await next).map(({ data }) => data["text"])).toEqual(["b", "c", "bc"]);
    await frames.leave();
  });

  test("holds growing text for 25 ms to send more of it", async () => {
    await using served = await serveSession();
    const frames = await follow(served);
    served.gateway.append("ses_1", message("a"));
    await frames.take(1);
    const timers = served.clock.timerCount;
    served.gateway.show("ses_1", { ...delta, text: "b" });
    await waitFor(() => expect(served.clock.timerCount).toBe(timers + 1));
    await served.clock.advance(25);
    expect(await frames.take(1)).toMatchObject([{ data: { text: "b" } }]);
    await frames.leave();
  });

  test("writes everything except growing text at once", async () => {
    await using served = await serveSession();
    const frames = await follow(served);
    for (const type of ["session_status", "queue_changed", "presence"]) {
      served.gateway.show("ses_1", { type });
      expect(await frames.take(1)).toEqual([{ data: { type } }]);
    }
    await frames.leave();
  });

  test("has a sign of life every 15 seconds", async () => {
    await using served = await serveSession();
    const frames = await follow(served);
    await served.clock.advance(15_000);
    await served.clock.advance(15_000);
    expect(await frames.take(2)).toEqual([
      { data: { type: "ping", at: "2026-01-01T00:00:15.000Z" } },
      { data: { type: "ping", at: "2026-01-01T00:00:30.000Z" } },
    ]);
    await frames.leave();
  });

  test("sends a frame larger than every buffer whole", async () => {
    await using served = await serveSession();
    const text = "größer ".repeat(1_000_000);
    served.gateway.append("ses_1", message(text));
    served.gateway.append("ses_1", message("after"));
    const frames = await follow(served);
    const [large, after] = await frames.take(2);
    expect(large!.data["text"]).toBe(text);
    expect(after!.data["text"]).toBe("after");
    await frames.leave();
  });
});

describe("the overview's stream", () => {
  test("begins with a snapshot and gives no ids", async () => {
    await using served = await serveSession();
    const frames = await follow(served, "/api/events");
    expect(await frames.take(1)).toMatchObject([
      { data: { type: "snapshot", sessions: { items: [{ sessionId: "ses_1" }] } } },
    ]);
    await frames.leave();
  });
});

describe("clients", () => {
  test.each([
    ["?client=cli_1", {}],
    ["", { "x-holdpoint-client": "cli_1" }],
  ])(
    "one that a stream names (%s %o) is announced while the stream is open",
    async (query, headers) => {
      await using served = await serveSession();
      const frames = await follow(served, EVENTS + query, headers);
      const signal = served.gateway.announced.get("cli_1");
      expect(signal?.aborted).toBe(false);
      await frames.leave();
      await waitFor(() => expect(signal?.aborted).toBe(true));
    },
  );

  test("none is announced by a stream that names none", async () => {
    await using served = await serveSession();
    const frames = await follow(served);
    expect(served.gateway.announced.size).toBe(0);
    await frames.leave();
  });
});

describe("the end of a stream", () => {
  test("a reader that leaves is no longer followed", async () => {
    await using served = await serveSession();
    const frames = await follow(served);
    expect(served.gateway.followerCount).toBe(1);
    await frames.leave();
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));
  });

  test("a closing server reports it on every stream", async () => {
    await using served = await serveSession();
    const streams = [await follow(served), await follow(served, "/api/events")];
    await streams[1]!.take(1);
    await served.server.close();
    for (const frames of streams) {
      expect(await frames.take(2)).toEqual([{ data: { type: "closing", reason: "draining" } }]);
    }
    expect(served.gateway.followerCount).toBe(0);
  });

  test("[R-20] a person's 129th stream is refused, and possible again when one has ended", async () => {
    await using served = await serveSession();
    const open = await Promise.all(Array.from({ length: 128 }, () => follow(served)));
    const refused = await served.call(EVENTS);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
    await open[0]!.leave();
    await waitFor(() => expect(served.gateway.followerCount).toBe(127));
    const again = await follow(served);
    for (const frames of [...open, again]) await frames.leave();
  });

  test("[R-14] a hundred streams leave nothing behind", async () => {
    await using served = await serveSession({ streamLimits: { perPerson: 100 } });
    const timersBefore = served.clock.timerCount;
    const open = await Promise.all(
      Array.from({ length: 100 }, (_, index) => follow(served, `${EVENTS}?client=cli_${index}`)),
    );
    expect(served.gateway.followerCount).toBe(100);
    expect(served.clock.timerCount).toBeGreaterThan(timersBefore);
    for (const frames of open) await frames.leave();
    await waitFor(() => {
      expect(served.gateway.followerCount).toBe(0);
      expect(served.clock.timerCount).toBe(timersBefore);
    });
    const announced = [...served.gateway.announced.values()];
    expect(announced.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});

describe("a slow client", () => {
  const COUNT = 300;
  const SIZE = 100_000;

  /** Opens the stream and reads nothing; 30 MB do not fit into any connection's buffers. */
  async function openWithoutReading(served: Served<FakeGateway>): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${PERSON_TOKEN}` };
    const sent = request({ host: "127.0.0.1", port: served.port, path: EVENTS, headers }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return response;
  }

  test("[R-7] [R-17] [R-18] is closed after 30 s without progress and resumes by cursor without a gap", async () => {
    await using served = await serveSession();
    for (let index = 0; index < COUNT; index += 1) {
      served.gateway.append("ses_1", message("x".repeat(SIZE)));
    }
    const timersIdle = served.clock.timerCount;
    const slow = await openWithoutReading(served);
    // A heartbeat's timer, and the stalled write's.
    await waitFor(() => expect(served.clock.timerCount).toBe(timersIdle + 2));
    await served.clock.advance(29_999);
    expect(served.gateway.followerCount).toBe(1);
    await served.clock.advance(1);
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));

    const frames = (await text(slow)).split("\n\n").filter(Boolean).map(parseFrame);
    expect(frames.pop()).toEqual({ data: { type: "closing", reason: "slow_client" } });
    expect(ids(frames)).toEqual(frames.map((_, index) => `e1.${index + 1}`));
    expect(frames.length).toBeLessThan(COUNT);
    const rest = await follow(served, EVENTS, { "last-event-id": frames.at(-1)!.id! });
    const missed = ids(await rest.take(COUNT - frames.length));
    expect(missed[0]).toBe(`e1.${frames.length + 1}`);
    expect(missed.at(-1)).toBe(`e1.${COUNT}`);
    expect(missed).toHaveLength(COUNT - frames.length);
    await rest.leave();
  });

  test("[R-18] is cut off if it does not even accept the closing frame", async () => {
    await using served = await serveSession();
    for (let index = 0; index < COUNT; index += 1) {
      served.gateway.append("ses_1", message("x".repeat(SIZE)));
    }
    const timersIdle = served.clock.timerCount;
    const slow = await openWithoutReading(served);
    await waitFor(() => expect(served.clock.timerCount).toBe(timersIdle + 2));
    await served.clock.advance(30_000);
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));
    await served.clock.advance(2000);
    await waitFor(() => expect(served.clock.timerCount).toBe(timersIdle));
    await expect(text(slow)).rejects.toThrow("aborted");
  });

  test("does not delay others", async () => {
    await using served = await serveSession();
    const quick = await follow(served);
    for (let index = 0; index < COUNT; index += 1) {
      served.gateway.append("ses_1", message("x".repeat(SIZE)));
    }
    const slow = await openWithoutReading(served);
    expect(ids(await quick.take(COUNT)).at(-1)).toBe(`e1.${COUNT}`);
    slow.destroy();
    await quick.leave();
  });
});
