import { CREDENTIAL_LIMITS, OPERATION_NAMES } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { Credential } from "../auth/credential.ts";
import { isUrgent, SendingBudget } from "./sending-budget.ts";

const MIB = 1024 * 1024;
const { bytesPerMinute, agentBytesPerMinute } = CREDENTIAL_LIMITS;

function credential(tokenId: string, changes: Partial<Credential> = {}): Credential {
  const principal = "agent";
  return {
    tokenId,
    kind: "agent",
    principal,
    role: "viewer",
    person: "Ada",
    label: "One",
    ...changes,
  };
}

function open() {
  let nowMs = 0;
  const budget = new SendingBudget({ monotonic: () => nowMs });
  return { budget, pass: (ms: number) => void (nowMs += ms) };
}

describe("[R-20] the sending budget of a credential", () => {
  test("is bounded, and the refusal says when there is room again", () => {
    const { budget, pass } = open();
    const one = credential("one");
    budget.take(one, agentBytesPerMinute);
    const refusal = { code: "RATE_LIMITED", extras: { retryAfterMs: 30_000 } };
    expect(() => budget.take(one, agentBytesPerMinute / 2)).toThrow(
      expect.objectContaining(refusal) as Error,
    );
    pass(30_000);
    budget.take(one, agentBytesPerMinute / 2);
  });

  test("leaves other credentials theirs, but all agents of a person share one more", () => {
    const { budget } = open();
    const agents = Array.from({ length: 5 }, (_, index) => credential(`agent ${index}`));
    for (const agent of agents.slice(0, 4)) budget.take(agent, agentBytesPerMinute);
    expect(() => budget.take(agents[4]!, MIB)).toThrow("too much");
    budget.take(credential("another's", { person: "Grace" }), MIB);
    budget.take(credential("own", { isOwnAgent: true }), MIB);
    budget.take(credential("phone", { principal: "person", kind: "device" }), bytesPerMinute);
  });

  test("counts a small request as more than its bytes", () => {
    const { budget } = open();
    let taken = 0;
    const flood = (): void => {
      for (; ; taken += 1) budget.take(credential("one"), 1);
    };
    expect(flood).toThrow("too much");
    expect(taken).toBe(agentBytesPerMinute / 1024);
  });

  test("is not remembered longer than it matters", () => {
    const { budget, pass } = open();
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 1000; index += 1) {
        budget.take(credential(`${round} ${index}`, { isOwnAgent: true }), 1);
      }
      pass(60_000);
    }
    expect(budget.size).toBeLessThanOrEqual(1024);
  });

  test("does not count answers and stops", () => {
    expect(OPERATION_NAMES.filter(isUrgent)).toEqual(
      expect.arrayContaining(["approveTool", "denyTool", "respond", "stopTurn", "submitAnswers"]),
    );
    expect(["sendMessage", "createSession", "followOverview", "toString"].filter(isUrgent)).toEqual(
      [],
    );
  });
});
