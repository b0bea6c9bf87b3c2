import {
  ProtocolError,
  toProblem,
  type GatewayApi,
  type SerializedFrame,
} from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { settled } from "../../testing/simulated-clock.ts";
import { createDirectTransport } from "./direct-transport.ts";

function connect(gateway: Partial<GatewayApi>) {
  const whole = { epoch: "epoch", announceClient: () => undefined, ...gateway } as GatewayApi;
  return createDirectTransport({
    gateway: whole,
    person: "Ada",
    client: "Editor",
    clientId: "editor-1",
  });
}

function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

describe("a call", () => {
  test("comes from the host's person, with copies of its arguments", async () => {
    const calls: unknown[] = [];
    const body = { title: "New", model: undefined };
    const session = { sessionId: "ses" };
    const transport = connect({
      updateSession: async (...given: unknown[]) => (calls.push(given), session) as never,
    });
    expect(await transport.updateSession("ses", body as never)).toEqual(session);
    expect(await transport.updateSession("ses", body as never)).not.toBe(session);
    const caller = {
      principal: "person",
      person: "Ada",
      client: "Editor",
      clientId: "editor-1",
    };
    expect(calls[0]).toEqual([caller, "ses", { title: "New" }]);
    expect(Object.keys((calls[0] as unknown[])[2] as object)).toEqual(["title"]);
  });

  test("fails as over a wire, without the gateway's own error", async () => {
    const cause = new TypeError("A bug.");
    const transport = connect({ listAgents: () => Promise.reject(cause) });
    const error = await rejectionOf(transport.listAgents());
    expect(error).toMatchObject({ name: "ProtocolError", code: "INTERNAL", cause });
    expect((error as Error).message).not.toContain("bug");
  });

  test("returns a refused response as a result, whether the gateway returns or throws it", async () => {
    const problem = toProblem(new ProtocolError("EXPIRED", "Too late."));
    const given = connect({ respond: async () => ({ status: "refused", problem }) });
    const thrown = connect({
      respond: () => Promise.reject(new ProtocolError("EXPIRED", "Too late.")),
    });
    for (const transport of [given, thrown]) {
      expect(await transport.respond("int", { action: "deny" })).toEqual({
        status: "refused",
        problem,
      });
    }
  });

  test("[R-18] does not wait for a gateway that hangs once it is aborted", async () => {
    const transport = connect({ listAgents: () => new Promise(() => undefined) });
    const caller = new AbortController();
    const failed = rejectionOf(transport.listAgents(caller));
    const reason = new Error("Enough.");
    caller.abort(reason);
    expect(await failed).toBe(reason);
  });
});

describe("a stream", () => {
  function stream(frames: (signal: AbortSignal) => AsyncIterable<readonly SerializedFrame[]>) {
    let ending: AbortSignal | undefined;
    const transport = connect({
      followOverview: (_caller, { signal }) => frames((ending = signal)),
    });
    const leaving = new AbortController();
    const batches = transport.followOverview(leaving)[Symbol.asyncIterator]();
    return { batches, leaving, isEnded: () => ending?.aborted };
  }

  test("[R-18] ends the gateway's side when the reader leaves", async () => {
    let isFinished = false;
    const { batches, isEnded } = stream(async function* () {
      try {
        yield [{ json: '{"type":"ping"}' }];
      } finally {
        isFinished = true;
      }
    });
    await batches.next();
    expect((await batches.next()).value).toEqual([{ type: "ping" }]);
    await batches.return?.();
    expect([isEnded(), isFinished]).toEqual([true, true]);
  });

  test("is CONNECTION_CLOSED if it breaks or ends without a reason", async () => {
    const broken = stream(async function* () {
      yield [];
      throw new Error("A bug.");
    });
    const ended = stream(async function* () {
      yield [];
    });
    for (const { batches } of [broken, ended]) {
      await batches.next();
      await batches.next();
      expect(await rejectionOf(batches.next())).toMatchObject({ code: "CONNECTION_CLOSED" });
    }
  });

  test("[R-18] rejects with the reason when aborted, even if the gateway just ends", async () => {
    const { batches, leaving } = stream(async function* (signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      yield [];
    });
    await batches.next();
    const failed = rejectionOf(batches.next());
    await settled();
    const reason = new Error("Enough.");
    leaving.abort(reason);
    expect(await failed).toBe(reason);
  });
});
