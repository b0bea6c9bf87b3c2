import type { CreateRuleBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { Store } from "../ports/store.ts";
import { ada, openFixture } from "../testing/gateway-fixture.ts";
import { openGrantScene, type GrantScene } from "../testing/grant-scene.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { type StoreFaults, wrapStore } from "../testing/wrapped-store.ts";

const allow: CreateRuleBody = { verdict: "allow", pattern: "npm run *", cwd: "/work" };
const DAY_MS = 24 * 60 * 60 * 1000;

function make(scene: Pick<GrantScene, "fixture">, change: Partial<CreateRuleBody> = {}) {
  return scene.fixture.gateway.createRule(ada, { ...allow, ...change });
}

const build = { command: "npm run build" };

/**
 * Makes a denying rule just before the first use of a grant is written. The returned function tells whether that has
 * happened.
 */
function denyBeforeUse(scene: GrantScene, faults: StoreFaults): () => boolean {
  let isDenied = false;
  faults.beforeAppend = async (batch) => {
    const isUse = batch.events?.some(({ type }) => type === "grant_used") === true;
    if (!isUse || isDenied) return;
    isDenied = true;
    await make(scene, { verdict: "deny", pattern: "npm run build" });
  };
  return () => isDenied;
}

describe("a rule", () => {
  test("lets an allowed command run without asking, in every session, and an event names it", async () => {
    await using scene = await openGrantScene();
    const made = await make(scene);
    expect(made).toMatchObject({
      text: "Allow without asking, in /work: npm run *",
      rule: { verdict: "allow", pattern: "npm run *" },
      cwd: "/work",
      by: { person: "Ada" },
    });
    expect(await scene.grants()).toEqual([made]);
    const sessionId = await scene.start({ toolCallId: "t1", ...build });
    expect(scene.answerOf("t1")).toMatchObject({
      response: { action: "approve", grantId: made.grantId },
      input: { command: "npm run build" },
    });
    expect(await scene.uses(sessionId)).toMatchObject([
      { grantId: made.grantId, toolCallId: "t1", verdict: "allow" },
    ]);
    await scene.start({ toolCallId: "t2", command: "npm run build; rm -rf x" });
    expect(await scene.pending("t2")).toBeDefined();
  });

  test("[R-5] does not allow other directories, other tools, or calls that may only be approved once", async () => {
    await using scene = await openGrantScene();
    await make(scene);
    await scene.start(
      { toolCallId: "t1", ...build, cwd: "/work/sub" },
      { toolCallId: "t2", ...build, toolName: "Terminal" },
      { toolCallId: "t3", ...build, scopes: ["once"] },
    );
    for (const id of ["t1", "t2", "t3"]) expect(await scene.pending(id)).toBeDefined();
  });

  test("comes before every grant, older or newer, if it denies or asks", async () => {
    await using scene = await openGrantScene();
    const grantKey = "k";
    const sessionId = await scene.start({ toolCallId: "t1", ...build, grantKey });
    await scene.approve("t1", "always");
    await scene.makeCalls(sessionId, { toolCallId: "t2", ...build, grantKey });
    expect(scene.answerOf("t2")).toBeDefined();
    const asking = await make(scene, { verdict: "ask" });
    await scene.makeCalls(sessionId, { toolCallId: "t3", ...build, grantKey });
    expect(await scene.pending("t3")).toBeDefined();
    const denying = await make(scene, { verdict: "deny", pattern: "npm run build" });
    await make(scene);
    const other = await scene.start({ toolCallId: "t4", ...build, grantKey });
    expect(scene.answerOf("t4")).toMatchObject({
      response: { action: "deny", grantId: denying.grantId, reason: expect.any(String) as string },
    });
    expect(scene.answerOf("t4")).not.toHaveProperty("input");
    const decided = [...(await scene.uses(sessionId)), ...(await scene.uses(other))];
    expect(decided.map(({ grantId, verdict }) => [grantId, verdict])).toEqual([
      [expect.any(String), undefined],
      [asking.grantId, "ask"],
      [denying.grantId, "deny"],
    ]);
  });

  test("is not overridden by a grant that is made while the interaction is pending, if it asks", async () => {
    await using scene = await openGrantScene();
    await make(scene, { verdict: "ask" });
    const grantKey = "k";
    await scene.start(
      { toolCallId: "t1", ...build, grantKey },
      { toolCallId: "t2", ...build, grantKey },
    );
    await scene.approve("t1", "session");
    expect(await scene.pending("t2")).toBeDefined();
  });

  test.each([
    ["allowed by another rule", { rule: true, scope: undefined }],
    ["allowed by a lasting grant", { rule: false, scope: "always" }],
  ] as const)(
    "[R-5] wins by a denial over one that is %s, up to the moment of its write",
    async (_, { rule, scope }) => {
      const faults: StoreFaults = {};
      await using scene = await openGrantScene({ store: wrapStore(createMemoryStore(), faults) });
      const grantKey = "k";
      if (rule) await make(scene);
      const sessionId = await scene.start(
        scope ? { toolCallId: "t1", ...build, grantKey } : { toolCallId: "t1", ...build },
      );
      if (scope) await scene.approve("t1", scope);
      const isDenied = denyBeforeUse(scene, faults);
      await scene.makeCalls(sessionId, { toolCallId: "t2", ...build, grantKey });
      await scene.fixture.clock.settle();
      expect(isDenied()).toBe(true);
      expect(scene.answerOf("t2")).toMatchObject({ response: { action: "deny" } });
      const uses = (await scene.uses(sessionId)).filter(({ toolCallId }) => toolCallId === "t2");
      expect(uses).toMatchObject([{ verdict: "deny" }]);
    },
  );

  test("[R-5] keeps a pending call from an older grant if it denies", async () => {
    const faults: StoreFaults = {};
    await using scene = await openGrantScene({ store: wrapStore(createMemoryStore(), faults) });
    const grantKey = "k";
    await scene.start(
      { toolCallId: "t1", ...build, grantKey },
      { toolCallId: "t2", ...build, grantKey },
    );
    const isDenied = denyBeforeUse(scene, faults);
    await scene.approve("t1", "session");
    await scene.fixture.clock.settle();
    expect(isDenied()).toBe(true);
    expect(await scene.pending("t2")).toBeDefined();
    expect(scene.answerOf("t2")).toBeUndefined();
  });

  test("expires, and ends at once when it is revoked", async () => {
    await using scene = await openGrantScene();
    await make(scene, { forMs: DAY_MS });
    await scene.fixture.clock.advance(DAY_MS);
    await scene.start({ toolCallId: "t1", ...build });
    expect(await scene.pending("t1")).toBeDefined();
    const { grantId, expiresAt, createdAt } = await make(scene);
    expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(30 * DAY_MS);
    await scene.fixture.gateway.revokeGrant(ada, grantId);
    expect(await scene.grants()).toEqual([]);
    await scene.start({ toolCallId: "t2", ...build });
    expect(await scene.pending("t2")).toBeDefined();
    await expect(scene.fixture.gateway.revokeGrant(ada, grantId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("is valid in the next gateway", async () => {
    const store = createMemoryStore();
    const ids = createSequentialIds();
    {
      await using scene = await openGrantScene({ store, ids });
      await make(scene);
    }
    await using scene = await openGrantScene({ store, ids });
    await scene.start({ toolCallId: "t1", ...build });
    expect(scene.answerOf("t1")).toBeDefined();
  });

  test("[R-13] is made by a person's client that may answer, and by no agent", async () => {
    await using scene = await openGrantScene();
    const { gateway } = scene.fixture;
    const agent = { ...ada, principal: "agent" } as const;
    for (const call of [gateway.createRule(agent, allow), gateway.previewRule(agent, allow)]) {
      await expect(call).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    const off = { ...ada, clientId: "cli_off" };
    await gateway.setInteractionMode(off, "cli_off", { enabled: false });
    await expect(gateway.createRule(off, allow)).rejects.toMatchObject({
      code: "INTERACTION_DISABLED",
    });
    expect(await scene.grants()).toEqual([]);
  });

  test("[R-5] is refused if it would allow commands known to escape, and there are 200 at most", async () => {
    await using scene = await openGrantScene();
    for (const change of [
      { pattern: "sh -c *" },
      { pattern: "a; b" },
      { pattern: "* x" },
      { cwd: "work" },
      { pattern: "make -f *" },
    ]) {
      await expect(make(scene, change)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    }
    await make(scene, { pattern: "make -f *", verdict: "deny" });
    for (let index = 1; index < 200; index += 1) await make(scene, { pattern: `make t${index}` });
    await expect(make(scene)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });
});

describe("the preview of a rule", () => {
  /** A session whose agent has called these commands. */
  async function openLogged(commands: readonly string[], options: { toolName?: string } = {}) {
    const { toolName = "Bash" } = options;
    const fixture = await openFixture(async (_, context) => {
      for (const [index, command] of commands.entries()) {
        const toolCallId = `call_${index}`;
        await context.emit({ type: "tool_call", toolCallId, toolName, input: { command } });
        await context.emit({ type: "tool_result", toolCallId, content: "", isError: false });
      }
      return { reason: "done" };
    });
    await fixture.send(await fixture.createSession(), "go");
    return fixture;
  }

  test("lists the commands of the last 30 days that it would have covered, and the others with the reason", async () => {
    await using fixture = await openLogged([
      "ls",
      "npm run build",
      "npm run build",
      "npm run test",
      "npm run build && rm -rf x",
      "npm install left-pad",
    ]);
    const preview = await fixture.gateway.previewRule(ada, allow);
    expect(preview).toMatchObject({ calls: 6, coveredCalls: 3, isPartial: false });
    expect(preview).not.toHaveProperty("problem");
    expect(preview.covered.map(({ command, count }) => [command, count])).toEqual(
      expect.arrayContaining([
        ["npm run build", 2],
        ["npm run test", 1],
      ]),
    );
    const why = new Map(preview.notCovered.map((one) => [one.command, one.why]));
    expect(why.get("npm run build && rm -rf x")).toBe("it has more than one command");
    expect(why.get("npm install left-pad")).toBe("other words");
    expect(preview.notCovered.at(-1)?.command).toBe("ls");
    const elsewhere = await fixture.gateway.previewRule(ada, { ...allow, cwd: "/other" });
    expect(elsewhere).toMatchObject({ coveredCalls: 0, covered: [] });
    const problem = expect.any(String) as string;
    expect(await fixture.gateway.previewRule(ada, { ...allow, pattern: "npm *" })).toMatchObject({
      problem,
      coveredCalls: 0,
    });
    await fixture.clock.advance(31 * DAY_MS);
    expect(await fixture.gateway.previewRule(ada, allow)).toMatchObject({ calls: 0 });
    expect((await fixture.gateway.listGrants(ada, { limit: 10 })).items).toEqual([]);
  });

  test("[R-20] shows 50 commands at most, and ignores tools that run no commands", async () => {
    const many = Array.from({ length: 120 }, (_, index) => `npm run t${index}`);
    await using fixture = await openLogged([...many, ...many.map((one) => `${one} x`)]);
    const preview = await fixture.gateway.previewRule(ada, allow);
    expect(preview).toMatchObject({ calls: 240, coveredCalls: 120 });
    expect([preview.covered.length, preview.notCovered.length]).toEqual([50, 50]);
    await using other = await openLogged(["npm run build"], { toolName: "Terminal" });
    expect(await other.gateway.previewRule(ada, allow)).toMatchObject({ calls: 0 });
  });
});

test("[R-5] a person is asked when writing the use of a rule always conflicts", async () => {
  const inner = createMemoryStore();
  const store: Store = {
    ...wrapStore(inner, {}),
    async append(batch) {
      const isGuarded = batch.grants?.some(({ type }) => type === "assume") === true;
      if (!isGuarded) return inner.append(batch);
      return { status: "conflict", conflict: { kind: "grant", grantId: "grt_hidden" } };
    },
  };
  await using scene = await openGrantScene({ store });
  await make(scene);
  await scene.start({ toolCallId: "t1", ...build });
  expect(await scene.pending("t1")).toBeDefined();
  expect(scene.fixture.errors).toMatchObject([{ code: "WRITE_CONFLICT" }]);
});
