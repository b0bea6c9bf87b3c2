import { describe, expect, test, vi } from "vitest";

import type { HoldResult } from "../ports/agent-adapter.ts";
import { NO_NOTIFICATIONS } from "../ports/notifications.ts";
import { ada, approval, never, openFixture, question } from "../testing/gateway-fixture.ts";
import { createClient, openScene, type ToolScene } from "../testing/tool-scene.ts";
import { defineTool } from "./define-tool.ts";
import type { ApprovalRequest } from "./interaction-request.ts";
import type { ToolContext } from "./tool-context.ts";

const graceMs = 10_000;

function toolOf(handler: (context: ToolContext) => unknown) {
  return defineTool({
    name: "probe",
    description: "Does what the test says.",
    handler: (_args: Record<string, unknown>, context) => handler(context),
  });
}

const asking = (request: Partial<ApprovalRequest> = {}) =>
  toolOf((context) =>
    context.requestInteraction({
      kind: "approval",
      onResponse: ({ action }) => ({ complete: action }),
      ...request,
    }),
  );

/** Calls the tool with these clients connected. */
async function openCall(
  tool = asking(),
  {
    page = false,
    options = {},
  }: { page?: boolean; options?: Parameters<typeof openScene>[0] } = {},
) {
  const scene = await openScene({ tools: [tool], availability: "refuse", ...options });
  if (!page) scene.page.disconnect();
  await scene.clock.advance(graceMs);
  const call = scene.call({ name: "probe" });
  await scene.clock.settle();
  return { scene, result: call.result };
}

const isSettled = async (promise: Promise<unknown>) =>
  (await Promise.race([promise, Promise.resolve(never)])) !== never;

async function expectUnavailable(scene: ToolScene, result: Promise<unknown>): Promise<void> {
  expect(await result).toMatchObject({
    isError: true,
    structured: { code: "INTERACTION_UNAVAILABLE" },
  });
  expect(await scene.interactions("pending")).toEqual([]);
  expect(await scene.interactions("withdrawn")).toHaveLength(1);
  expect(scene.errors).toEqual([]);
}

describe("when no one can answer", () => {
  test("[R-18] a request fails after a grace, and is withdrawn", async () => {
    const { scene, result } = await openCall();
    await using _ = scene;
    await scene.clock.advance(graceMs - 1);
    expect(await isSettled(result)).toBe(false);
    expect(await scene.interactions("pending")).toHaveLength(1);
    await scene.clock.advance(1);
    await expectUnavailable(scene, result);
  });

  test("the handler can catch the failure and continue without an answer", async () => {
    const tool = toolOf(async (context) => {
      try {
        return await context.requestInteraction({ kind: "approval" });
      } catch (error: unknown) {
        return { ok: false, code: (error as { code?: unknown }).code };
      }
    });
    const { scene, result } = await openCall(tool);
    await using _ = scene;
    await scene.clock.advance(graceMs);
    expect(await result).toMatchObject({
      isError: false,
      structured: { ok: false, code: "INTERACTION_UNAVAILABLE" },
    });
  });

  test("anyone who comes within the grace can answer, with the whole time of the request", async () => {
    const { scene, result } = await openCall();
    await using _ = scene;
    await scene.clock.advance(graceMs - 1);
    scene.page.connect();
    await scene.clock.advance(300_000);
    expect(await isSettled(result)).toBe(false);
    await scene.answer({ action: "approve" });
    expect(await result).toMatchObject({ content: '"approve"' });
  });

  test("a notified person counts as reachable, for as long as notifications reach them", async () => {
    let reaches = true;
    let tell = (): void => undefined;
    const notifications = {
      ...NO_NOTIFICATIONS,
      reachesSomebody: () => reaches,
      onChange(run: () => void) {
        tell = run;
        return { [Symbol.dispose]: () => undefined };
      },
    };
    const { scene, result } = await openCall(asking(), { options: { notifications } });
    await using _ = scene;
    await scene.clock.advance(300_000);
    expect(await isSettled(result)).toBe(false);
    scene.page.connect();
    await scene.answer({ action: "approve" });
    expect(await result).toMatchObject({ content: '"approve"' });
    scene.page.disconnect();
    reaches = false;
    tell();
    await scene.clock.advance(graceMs);
    const { result: next } = scene.call({ name: "probe" });
    await scene.clock.advance(graceMs);
    expect(await next).toMatchObject({ structured: { code: "INTERACTION_UNAVAILABLE" } });
  });

  test("a request that can wait waits for someone", async () => {
    const { scene, result } = await openCall(asking({ whenUnavailable: "wait" }));
    await using _ = scene;
    await scene.clock.advance(300_000);
    scene.page.connect();
    await scene.answer({ action: "deny" });
    expect(await result).toMatchObject({ content: '"deny"' });
  });

  test("[R-18] requests wait by default, and a single one may refuse to", async () => {
    const waiting = await openCall(asking(), { options: { availability: "wait" } });
    const refusing = await openCall(asking({ whenUnavailable: "refuse" }), {
      options: { availability: "wait" },
    });
    await using first = waiting.scene;
    await using second = refusing.scene;
    await first.clock.advance(300_000);
    expect(await first.interactions("pending")).toHaveLength(1);
    await second.clock.advance(graceMs);
    await expectUnavailable(second, refusing.result);
    first.page.connect();
    await first.answer({ action: "approve" });
    expect(await waiting.result).toMatchObject({ content: '"approve"' });
  });

  test("a request fails in any case if no person exists", async () => {
    const options = { availability: "wait", hasPerson: async () => false } as const;
    const { scene, result } = await openCall(asking(), { options });
    await using _ = scene;
    await scene.clock.advance(graceMs);
    await expectUnavailable(scene, result);
  });

  test("a time limit below the grace is reported as unavailability, not as an expiry", async () => {
    const options = { availability: "wait" } as const;
    const { scene, result } = await openCall(asking({ timeoutMs: graceMs - 1 }), { options });
    await using _ = scene;
    await scene.clock.advance(graceMs);
    expect(await result).toMatchObject({ structured: { code: "INTERACTION_UNAVAILABLE" } });
  });

  test("a client with interaction off does not count, until it is switched on", async () => {
    const tool = asking();
    const scene = await openScene({ tools: [tool], availability: "refuse" });
    await using _ = scene;
    await scene.gateway.setInteractionMode(ada, "page", { enabled: false });
    const first = scene.call({ name: "probe", toolCallId: "a" });
    await scene.clock.advance(graceMs);
    await expectUnavailable(scene, first.result);
    const second = scene.call({ name: "probe", toolCallId: "b" });
    await scene.clock.advance(graceMs - 1);
    await scene.gateway.setInteractionMode(ada, "page", { enabled: true });
    await scene.clock.advance(graceMs);
    await scene.answer({ action: "approve" });
    expect(await second.result).toMatchObject({ content: '"approve"' });
  });

  test("an agent's own approval waits in any case", async () => {
    const results: HoldResult[] = [];
    await using fixture = await openFixture(async (message, context) => {
      results.push(await context.hold(approval(message.messageId), { signal: never }));
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.clock.advance(10 * graceMs);
    expect(await fixture.interactions("pending")).toHaveLength(1);
    expect(results).toEqual([]);
  });

  test("the grace is a setting of the gateway", async () => {
    const { scene, result } = await openCall(asking(), { options: { availabilityGraceMs: 500 } });
    await using _ = scene;
    await scene.clock.advance(499);
    expect(await isSettled(result)).toBe(false);
    await scene.clock.advance(1);
    await expectUnavailable(scene, result);
  });
});

describe("[R-1] an answer at the moment of giving up", () => {
  test("wins or does not, and never both", async () => {
    for (const isFirst of [true, false]) {
      const { scene, result } = await openCall();
      await using _ = scene;
      await scene.clock.advance(graceMs - 1);
      const { interactionId } = await scene.waiting();
      const answer = () => scene.gateway.respond(ada, interactionId, { action: "deny" });
      const early = isFirst ? answer() : undefined;
      const passing = scene.clock.advance(1);
      const said = await (early ?? answer());
      await passing;
      const { structured, content } = await result;
      await scene.clock.settle();
      const { status } = await scene.gateway.getInteraction(ada, interactionId);
      expect([said.status, status, structured?.["code"] ?? content]).toEqual(
        said.status === "accepted"
          ? ["accepted", "delivered", '"deny"']
          : ["refused", "withdrawn", "INTERACTION_UNAVAILABLE"],
      );
    }
  });
});

describe("when everyone leaves", () => {
  test("open requests stay answerable", async () => {
    const { scene, result } = await openCall(asking(), { page: true });
    await using _ = scene;
    scene.page.disconnect();
    await scene.clock.advance(10 * graceMs);
    await scene.answer({ action: "approve" });
    expect(await result).toMatchObject({ content: '"approve"' });
  });

  test("a request may end after a grace", async () => {
    const { scene, result } = await openCall(asking({ onDisconnect: "deny" }), { page: true });
    await using _ = scene;
    await scene.clock.advance(30_000);
    scene.page.disconnect();
    await scene.clock.advance(graceMs - 1);
    expect(await isSettled(result)).toBe(false);
    await scene.clock.advance(1);
    await expectUnavailable(scene, result);
  });

  test("a client that reconnects was never away", async () => {
    const { scene, result } = await openCall(asking({ onDisconnect: "deny" }), { page: true });
    await using _ = scene;
    for (let flap = 0; flap < 20; flap += 1) {
      scene.page.disconnect();
      await scene.clock.advance(graceMs - 1);
      scene.page.connect();
      await scene.clock.advance(1);
    }
    await scene.answer({ action: "approve" });
    expect(await result).toMatchObject({ content: '"approve"' });
  });

  test("one client of two leaving has no effect", async () => {
    const { scene, result } = await openCall(asking({ onDisconnect: "deny" }), { page: true });
    await using _ = scene;
    const phone = createClient(scene, "phone");
    phone.connect();
    scene.page.disconnect();
    await scene.clock.advance(2 * graceMs);
    expect(await isSettled(result)).toBe(false);
    await scene.gateway.setInteractionMode(ada, "phone", { enabled: false });
    await scene.clock.advance(graceMs);
    await expectUnavailable(scene, result);
  });

  test("[R-5] the config may deny the agent's own requests", async () => {
    const results: HoldResult[] = [];
    await using fixture = await openFixture(
      async (message, context) => {
        results.push(await context.hold(question(message.messageId), { signal: never }));
        return { reason: "done" };
      },
      { onDisconnect: "deny" },
    );
    const page = createClient(fixture, "page");
    page.connect();
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    page.disconnect();
    await fixture.clock.advance(graceMs);
    expect(results).toEqual([
      { outcome: "withdrawn", reason: "Everyone who could answer has left." },
    ]);
    expect(await fixture.interactions("withdrawn")).toHaveLength(1);
  });

  test("a request may stay even if the config denies", async () => {
    const { scene, result } = await openCall(asking({ onDisconnect: "wait" }), {
      page: true,
      options: { onDisconnect: "deny" },
    });
    await using _ = scene;
    scene.page.disconnect();
    await scene.clock.advance(2 * graceMs);
    await scene.answer({ action: "deny" });
    expect(await result).toMatchObject({ content: '"deny"' });
  });
});

describe("a handler", () => {
  test("knows before its request whether anyone can answer, and is notified of changes", async () => {
    const changes: boolean[] = [];
    const goOn = Promise.withResolvers<void>();
    const tool = toolOf(async ({ interaction }) => {
      const before = interaction.available;
      interaction.onChange((available) => changes.push(available));
      await goOn.promise;
      return [before, interaction.available];
    });
    await using scene = await openScene({ tools: [tool] });
    const { result } = scene.call({ name: "probe" });
    scene.page.disconnect();
    await scene.clock.advance(graceMs - 1);
    expect(changes).toEqual([]);
    await scene.clock.advance(1);
    scene.page.connect();
    await scene.clock.settle();
    scene.page.disconnect();
    scene.page.connect();
    expect(changes).toEqual([false, true]);
    goOn.resolve();
    expect((await result).content).toBe("[true,true]");
    scene.page.disconnect();
    await scene.clock.advance(graceMs);
    expect(changes).toEqual([false, true]);
  });

  test("does not affect others by failing in a change listener", async () => {
    const other = vi.fn<(available: boolean) => void>();
    const goOn = Promise.withResolvers<void>();
    const tool = toolOf(async ({ interaction }) => {
      interaction.onChange(() => {
        throw new Error("no");
      });
      interaction.onChange(other);
      await goOn.promise;
    });
    await using scene = await openScene({ tools: [tool] });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    scene.page.disconnect();
    await scene.clock.advance(graceMs);
    expect(other.mock.calls).toEqual([[false]]);
    expect(scene.errors).toMatchObject([{ message: "no" }]);
    goOn.resolve();
    expect(await result).toMatchObject({ isError: false });
  });

  test("may stop listening", async () => {
    const changed = vi.fn<(available: boolean) => void>();
    const goOn = Promise.withResolvers<void>();
    const tool = toolOf(async ({ interaction }) => {
      interaction.onChange(changed)[Symbol.dispose]();
      await goOn.promise;
    });
    await using scene = await openScene({ tools: [tool] });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    scene.page.disconnect();
    await scene.clock.advance(graceMs);
    expect(changed).not.toHaveBeenCalled();
    goOn.resolve();
    await result;
  });
});

test("[R-14] requests waiting for someone leave no timer behind, however they end", async () => {
  const { scene } = await openCall(asking());
  await using _ = scene;
  const calls = ["b", "c", "d"].map((toolCallId) => scene.call({ name: "probe", toolCallId }));
  await scene.clock.settle();
  const [first, second] = await scene.interactions("pending");
  await scene.gateway.respond(ada, first!.interactionId, { action: "deny" });
  await scene.gateway.respond(ada, second!.interactionId, { action: "deny" });
  await scene.gateway.stopTurn(ada, scene.sessionId);
  await Promise.all(calls.map(({ result }) => result));
  await scene.clock.settle();
  expect(scene.clock.timerCount).toBe(0);
});
