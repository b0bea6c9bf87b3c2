import type {
  ApprovalScope,
  EventOf,
  Grant,
  GrantLimit,
  Interaction,
  RespondResult,
} from "@holdpoint/protocol";

import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  openFixture,
  type FixtureOptions,
  type GatewayFixture,
} from "./gateway-fixture.ts";

type Answered = Extract<HoldResult, { outcome: "answered" }>;

/** A call that an agent wants to make and needs approval for. */
export interface GrantCall {
  readonly toolCallId: string;
  readonly toolName?: string;
  readonly command?: string;
  readonly grantKey?: string;
  readonly grantFamily?: string;
  readonly scopes?: readonly ApprovalScope[];
  readonly cwd?: string;
}

/** A gateway whose agent makes the calls named in its messages, all at once. */
export interface GrantScene extends AsyncDisposable {
  readonly fixture: GatewayFixture;
  /** Results of finished calls, by tool call. */
  readonly results: ReadonlyMap<string, HoldResult>;
  /** Starts a session that makes these calls. */
  start(...calls: GrantCall[]): Promise<string>;
  makeCalls(sessionId: string, ...calls: GrantCall[]): Promise<void>;
  pending(toolCallId: string): Promise<Interaction | undefined>;
  /** Answers the request of this call, in time or late. */
  approve(
    toolCallId: string,
    approvalScope?: ApprovalScope,
    grantLimit?: GrantLimit,
  ): Promise<RespondResult>;
  /** The result of a call that was answered. */
  answerOf(toolCallId: string): Answered | undefined;
  grants(): Promise<Grant[]>;
  uses(sessionId: string): Promise<EventOf<"grant_used">[]>;
}

export async function openGrantScene(options: FixtureOptions = {}): Promise<GrantScene> {
  const results = new Map<string, HoldResult>();
  const fixture = await openFixture(async (message, context) => {
    const calls = message.content.startsWith("[")
      ? (JSON.parse(message.content) as GrantCall[])
      : [];
    await Promise.all(
      calls.map(async (call) => {
        const result = await context.hold(toRequest(call), { signal: context.signal });
        results.set(call.toolCallId, result);
        if (result.outcome === "answered") await result.delivered();
      }),
    );
    return { reason: context.signal.aborted ? "stopped" : "done" };
  }, options);
  const find = async (toolCallId: string, ...status: Interaction["status"][]) =>
    (await fixture.interactions(...status)).find((one) => one.toolCallId === toolCallId);
  const makeCalls = (sessionId: string, ...calls: GrantCall[]) =>
    fixture.send(sessionId, JSON.stringify(calls));
  return {
    fixture,
    results,
    makeCalls,
    async start(...calls) {
      const sessionId = await fixture.createSession();
      await makeCalls(sessionId, ...calls);
      return sessionId;
    },
    pending: (toolCallId) => find(toolCallId, "pending"),
    async approve(toolCallId, approvalScope, grantLimit) {
      const interaction = await find(toolCallId, "pending", "expired", "orphaned");
      if (!interaction?.approval) throw new Error(`Nothing asks for ${toolCallId}.`);
      const { digest } = interaction.approval;
      const scope = { ...(approvalScope && { approvalScope }), ...(grantLimit && { grantLimit }) };
      const body = { action: "approve" as const, digest, ...scope };
      const result = await fixture.gateway.respond(ada, interaction.interactionId, body);
      await fixture.clock.settle();
      return result;
    },
    answerOf(toolCallId) {
      const result = results.get(toolCallId);
      return result?.outcome === "answered" ? result : undefined;
    },
    grants: async () => (await fixture.gateway.listGrants(ada, { limit: 1000 })).items,
    async uses(sessionId) {
      const events = await fixture.events(sessionId);
      return events.filter((event) => event.type === "grant_used");
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

function toRequest({
  toolCallId,
  toolName = "Bash",
  command,
  grantKey,
  grantFamily,
  scopes,
  cwd,
}: GrantCall): HoldRequest {
  return approval(toolCallId, {
    toolName,
    input: { command: command ?? "make test" },
    scopes: scopes ?? ["once", "session", "always"],
    scopeText: { session: "This command, in this session.", always: "This command, anywhere." },
    editable: true,
    ...(cwd !== undefined && { cwd }),
    ...(grantKey !== undefined && { grantKey }),
    ...(grantFamily !== undefined && { grantFamily }),
  });
}
