import type { Interaction, RespondResult } from "@holdpoint/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { ada, bob } from "../testing/gateway-fixture.ts";
import { createClient, openScene, type ToolScene } from "../testing/tool-scene.ts";
import {
  MAILER_MS,
  STRICT_MS,
  ScheduleModel,
  type Outcome,
  type ToolKind,
} from "../testing/tool-schedule-model.ts";
import type { ToolCall } from "./call-tool.ts";
import { defineTool } from "./define-tool.ts";
import type { ApprovalRequest } from "./interaction-request.ts";

const kinds: readonly ToolKind[] = ["patient", "strict", "mailer", "leaver"];
const clientCount = 2;

const options: Record<ToolKind, Partial<ApprovalRequest>> = {
  patient: { timeoutMs: Infinity, whenUnavailable: "wait" },
  strict: { timeoutMs: STRICT_MS },
  mailer: {
    timeoutMs: MAILER_MS,
    whenUnavailable: "wait",
    onTimeout: async () => ({ pending: { message: "Later." } }),
  },
  leaver: { timeoutMs: Infinity, whenUnavailable: "wait", onDisconnect: "deny" },
};

const tools = kinds.map((kind) =>
  defineTool({
    name: kind,
    description: "Asks for approval.",
    parameters: { type: "object" },
    handler: (_args, context) =>
      context.requestInteraction({
        kind: "approval",
        approvalScopes: ["once"],
        // Approved is what the person said, and the input that was shown: nothing else may run.
        onResponse: ({ action, input }) => ({ complete: { action, input } }),
        ...options[kind],
      }),
  }),
);

type Step =
  | { readonly type: "call"; readonly kind: ToolKind; readonly session: number }
  | { readonly type: "connect" | "disconnect"; readonly client: number }
  | { readonly type: "toggle"; readonly client: number; readonly enabled: boolean }
  | {
      readonly type: "answer";
      readonly client: number;
      readonly call: number;
      readonly approve: boolean;
    }
  | { readonly type: "race" | "nonsense" | "finish"; readonly call: number }
  | { readonly type: "advance"; readonly durationMs: number }
  | { readonly type: "stop"; readonly session: number };

const client = fc.nat(clientCount - 1);
const session = fc.nat(1);
const call = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("call" as const),
      kind: fc.constantFrom(...kinds),
      session,
    }),
  },
  fc.record({ type: fc.constantFrom("connect" as const, "disconnect" as const), client }),
  fc.record({ type: fc.constant("toggle" as const), client, enabled: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      client,
      call,
      approve: fc.boolean(),
    }),
  },
  fc.record({
    type: fc.constantFrom("race" as const, "nonsense" as const, "finish" as const),
    call,
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("advance" as const),
      durationMs: fc.constantFrom(1, 4000, 9999, 10_000, 30_000, 60_000),
    }),
  },
  fc.record({ type: fc.constant("stop" as const), session }),
);

/** A gateway beside its model; both take every step. */
class Schedule {
  readonly #scene: ToolScene;
  readonly #sessions: readonly string[];
  readonly #model = new ScheduleModel(clientCount);
  readonly #clients: readonly ReturnType<typeof createClient>[];
  readonly #calls: ToolCall[] = [];

  private constructor(scene: ToolScene, sessions: readonly string[]) {
    this.#scene = scene;
    this.#sessions = sessions;
    this.#clients = Array.from({ length: clientCount }, (_, index) =>
      createClient(scene, `client_${index}`),
    );
  }

  static async open(scene: ToolScene): Promise<Schedule> {
    scene.page.disconnect();
    await scene.clock.advance(10_000);
    return new Schedule(scene, [scene.sessionId, await scene.createSession()]);
  }

  async take(step: Step): Promise<void> {
    const { gateway, clock } = this.#scene;
    switch (step.type) {
      case "call":
        this.#model.call(step.kind, step.session);
        this.#call(step.kind, step.session);
        break;
      case "connect":
        this.#model.setClient(step.client, { connected: true });
        this.#clients[step.client]!.connect();
        break;
      case "disconnect":
        this.#model.setClient(step.client, { connected: false });
        this.#clients[step.client]!.disconnect();
        break;
      case "toggle":
        this.#model.setClient(step.client, { enabled: step.enabled });
        await gateway.setInteractionMode(ada, `client_${step.client}`, step.enabled);
        break;
      case "answer":
        await this.#answer(step);
        break;
      case "race":
        await this.#race(step.call);
        break;
      case "nonsense":
        await this.#talkNonsense(step.call);
        break;
      case "finish":
        if (!this.#calls[step.call]) break;
        this.#model.finishAsQueued(step.call);
        this.#calls[step.call]!.finishAsQueued();
        break;
      case "advance":
        this.#model.advance(step.durationMs);
        await clock.advance(step.durationMs);
        break;
      case "stop":
        this.#model.stop(step.session);
        await gateway.stopTurn(ada, this.#sessions[step.session]!);
        break;
    }
    this.#model.settle();
    await clock.settle();
  }

  /** Everything that both must agree on, at this moment. */
  async check(): Promise<void> {
    const shown = await Promise.all(this.#model.calls.map((_, index) => this.#shown(index)));
    expect(shown).toEqual(
      this.#model.calls.map(({ phase, outcome, how, session }) => ({
        phase,
        outcome,
        how,
        sessionId: this.#sessions[session],
      })),
    );
    expect(this.#scene.errors).toEqual([]);
  }

  /** After everything has come to its end: what the log and the agent have. */
  async checkEnd(): Promise<void> {
    for (const session of [0, 1]) await this.take({ type: "stop", session });
    await this.check();
    expect(this.#scene.adapter.messages).toHaveLength(this.#model.messages);
    for (const sessionId of this.#sessions) {
      const events = await this.#scene.events(sessionId);
      const count = (type: string) => events.filter((event) => event.type === type).length;
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(count("turn_started")).toBe(count("turn_ended"));
      expect(count("interaction_delivered")).toBe(count("interaction_response"));
    }
    await this.#scene.clock.advance(20_000);
    for (const client of this.#clients) client.disconnect();
    await this.#scene.clock.advance(20_000);
    expect(this.#scene.clock.timerCount).toBe(0);
  }

  #call(kind: ToolKind, session: number): void {
    const index = this.#calls.length;
    this.#calls.push(
      this.#scene.call({
        sessionId: this.#sessions[session]!,
        name: kind,
        toolCallId: `call_${index}`,
        args: { index },
      }),
    );
  }

  async #interaction(index: number): Promise<Interaction> {
    const statuses = ["pending", "expired", "withdrawn", "answered", "delivered"] as const;
    const all = await this.#scene.interactions(...statuses);
    return all.find(({ toolCallId }) => toolCallId === `call_${index}`)!;
  }

  async #answer({ client, call, approve }: Extract<Step, { type: "answer" }>): Promise<void> {
    if (!this.#calls[call]) return;
    const { interactionId, approval } = await this.#interaction(call);
    const { caller } = this.#clients[client]!;
    const respond = this.#scene.gateway.respond(caller, interactionId, {
      action: approve ? "approve" : "deny",
      ...(approve && { digest: approval!.digest }),
    });
    if (!this.#model.clients[client]!.enabled) {
      await expect(respond).rejects.toMatchObject({ code: "INTERACTION_DISABLED" });
      return;
    }
    const expected = this.#model.answer(call, approve ? "approved" : "denied");
    expect(codeOf(await respond)).toBe(expected);
  }

  /** Two persons without a page answer at once. */
  async #race(call: number): Promise<void> {
    if (!this.#calls[call]) return;
    const { interactionId, approval } = await this.#interaction(call);
    const results = await Promise.all([
      this.#scene.gateway.respond(ada, interactionId, {
        action: "approve",
        digest: approval!.digest,
      }),
      this.#scene.gateway.respond(bob, interactionId, { action: "deny" }),
    ]);
    const codes = results.map(codeOf);
    const isApproved = codes[0] === "accepted";
    const first = this.#model.answer(call, isApproved ? "approved" : "denied");
    const second = this.#model.answer(call, "denied");
    expect(codes.toSorted()).toEqual([first, second].toSorted());
  }

  async #talkNonsense(call: number): Promise<void> {
    if (!this.#calls[call]) return;
    const { interactionId, approval } = await this.#interaction(call);
    const { phase } = this.#model.calls[call]!;
    const bodies = [
      { action: "submit", values: {} },
      { action: "approve", digest: approval!.digest, approvalScope: "always" },
      { action: "approve", digest: "0".repeat(64) },
      { action: "approve" },
    ] as const;
    for (const body of bodies) {
      const code = codeOf(await this.#scene.gateway.respond(ada, interactionId, body));
      const isOpen = phase === "pending" || phase === "queued" || phase === "expired";
      expect(
        isOpen ? ["INVALID_RESPONSE", "DIGEST_MISMATCH"] : ["WITHDRAWN", "ALREADY_ANSWERED"],
      ).toContain(code);
    }
  }

  async #shown(index: number) {
    const { status, hold, how, sessionId, approval } = await this.#interaction(index);
    expect(approval!.input).toEqual({ index });
    return {
      phase: status === "pending" && hold === "queued" ? "queued" : status,
      outcome: await this.#outcome(index),
      how,
      sessionId,
    };
  }

  async #outcome(index: number): Promise<Outcome | undefined> {
    const result = await Promise.race([this.#calls[index]!.result, Promise.resolve(undefined)]);
    const { status, code, action, input } = result?.structured ?? {};
    if (!result) return undefined;
    if (status === "queued") return "queued";
    switch (code ?? action) {
      case "approve":
        expect(input).toEqual({ index });
        return "approved";
      case "deny":
        expect(input).toBeUndefined();
        return "denied";
      case "INTERACTION_UNAVAILABLE":
        return "unavailable";
      case "INTERACTION_TIMEOUT":
        return "timeout";
      case "INTERACTION_CANCELLED":
        return "cancelled";
      default:
        throw new Error(`A call came to ${result.content}.`);
    }
  }
}

function codeOf(result: RespondResult): string {
  return result.status === "accepted" ? "accepted" : result.problem.code;
}

test("[R-1] [R-3] [R-4] [R-5] [R-6] [R-7] [R-11] [R-13] [R-14] [R-15] 200 random schedules of calls, clients, answers, time and stops come to what the model says", async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (schedule) => {
      await using scene = await openScene({
        tools,
        limits: { asksPerSecondPerSession: 1e6 },
      });
      const both = await Schedule.open(scene);
      for (const next of schedule) {
        await both.take(next);
        await both.check();
        steps += 1;
      }
      await both.checkEnd();
    }),
    { numRuns: 200 },
  );
  expect(steps).toBeGreaterThan(1000);
});
