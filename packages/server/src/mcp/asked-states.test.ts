import { describe, expect, test } from "vitest";

import {
  ask,
  luxon,
  type PagedAnswer,
  type PagedScene,
  reasonOf,
  serveTools,
  TOKENS,
} from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";

describe("a requestState", () => {
  /** Ann requests the state; her misuse of it here is refused, and the call continues to wait. */
  async function attack(
    alter: (state: string, served: PagedScene) => Promise<PagedAnswer> | PagedAnswer,
  ): Promise<PagedAnswer> {
    await using served = await serveTools();
    const { state, call } = await served.asked();
    const answer = await alter(state, served);
    expect(call.signal.aborted).toBe(false);
    expect(served.tools.calls).toHaveLength(1);
    call.finish(luxon);
    return answer;
  }

  test.each<[string, (state: string) => string]>([
    ["that is empty", () => ""],
    ["of only dots", () => ".."],
    ["without its signature", (state) => state.split(".")[0]!],
    ["with one more part", (state) => `${state}.x`],
    ["with a letter changed", (state) => (state.startsWith("a") ? "b" : "a") + state.slice(1)],
    ["signed with another key", (state) => resign(state)],
    ["with another content", (state) => changed(state)],
    ["that is huge", (state) => state + "x".repeat(100_000)],
    ["with its signature in other characters", (state) => `${state}=`],
  ])("%s is refused", async (_, alter) => {
    const answer = await attack((state, { send }) =>
      send({ ...ask, requestState: alter(state), inputResponses: { page: { action: "accept" } } }),
    );
    expect(answer.error?.code).toBe(-32602);
    expect(reasonOf(answer)).toBe("invalid_request_state");
  });

  test("is refused to another agent", async () => {
    const answer = await attack((state, { send }) =>
      send({ ...ask, requestState: state }, { token: TOKENS.bob }),
    );
    expect(reasonOf(answer)).toBe("invalid_request_state");
  });

  test.each([
    ["other arguments", { ...ask, arguments: { question: "Delete it?" } }],
    ["other arguments within", { ...ask, arguments: { question: "Which?", why: { a: 1, b: 3 } } }],
    ["another tool", { ...ask, name: "get_answers" }],
  ])("with %s is refused", async (_, call) => {
    const answer = await attack((state, { send }) => send({ ...call, requestState: state }));
    expect(reasonOf(answer)).toBe("invalid_request_state");
  });

  test("is accepted for the same call with its arguments in another order", async () => {
    await using served = await serveTools();
    const { state, call } = await served.asked();
    call.finish(luxon);
    const same = { ...ask, arguments: { why: { b: 2, a: 1 }, question: "Which?" } };
    expect(await served.send({ ...same, requestState: state })).toHaveProperty("result");
  });

  test("is refused if it is too old, and its answer becomes a message", async () => {
    await using served = await serveTools();
    const { state } = await served.asked();
    await served.clock.advance(7 * 24 * 60 * 60_000);
    const answer = await served.send({ ...ask, requestState: state });
    expect(reasonOf(answer)).toBe("invalid_request_state");
    expect(served.tools.calls).toHaveLength(1);
  });

  test("is refused at another gateway", async () => {
    await using other = await serveTools({ stateKey: Buffer.alloc(32, 8) });
    const { state } = await other.asked();
    await using served = await serveTools();
    const answer = await served.send({ ...ask, requestState: state });
    expect(reasonOf(answer)).toBe("invalid_request_state");
    expect(served.tools.calls).toEqual([]);
  });

  test("is refused if it was used", async () => {
    await using served = await serveTools();
    const { state, call } = await served.asked();
    call.finish(luxon);
    expect(await served.send({ ...ask, requestState: state })).toHaveProperty("result");
    await waitFor(async () => {
      const replayed = await served.send({ ...ask, requestState: state });
      expect(reasonOf(replayed)).toBe("used_request_state");
    });
    expect(served.tools.calls).toHaveLength(1);
  });

  test("is refused for a call that no longer exists", async () => {
    let state = "";
    {
      await using before = await serveTools();
      ({ state } = await before.asked());
    }
    await using served = await serveTools();
    expect(reasonOf(await served.send({ ...ask, requestState: state }))).toBe("lost_call");
    expect(served.tools.calls).toEqual([]);
  });
});

function changed(state: string): string {
  const [body = "", mac = ""] = state.split(".");
  const said = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
  const other = JSON.stringify({ ...said, toolCallId: "mcp_other" });
  return `${Buffer.from(other).toString("base64url")}.${mac}`;
}

function resign(state: string): string {
  return `${state.split(".")[0]!}.${Buffer.alloc(32, 1).toString("base64url")}`;
}
