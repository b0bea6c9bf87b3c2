/*
 * All agents that a person has given tokens to ask over MCP until the limit of open interactions is reached, with the
 * default limits of a gateway. Their calls end as queued after a second, so that only their requests remain.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";

import { Api, pending } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

const MOST_OPEN = 2000;
/** Each agent can have a hundred open interactions. */
const AGENTS = 32;
const AT_ONCE = Math.floor(CREDENTIAL_LIMITS.runningCallsPerPerson / AGENTS);
/** How many questions each agent asks before the common limit is reached. */
const SOME = 48;
const HELD_MS = 1000;
/** How long a client waits for each answer on a busy machine. */
const PATIENCE_MS = 180_000;
const REFUSAL = "Too many interactions are pending.";

test(
  `[R-20] the agents of one person have at most ${MOST_OPEN} interactions open, and the person's own sessions continue`,
  { timeout: 900_000 },
  async ({ annotate }) => {
    await using open = new AsyncDisposableStack();
    const gateway = await startImpatient(open);
    const api = new Api(gateway.url);
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async (_, index) => {
        const label = `Agent ${index}`;
        const { body } = await api.call<{ token: string }>("POST", "/auth/agent-tokens", { label });
        return open.use(await connectMcp(`${gateway.url}/mcp`, body.token)).client;
      }),
    );
    let queued = 0;
    const refusals: string[] = [];
    /**
     * Makes this many calls at once until one is refused. Requests that are being written count twice, so that this
     * happens early.
     */
    const fill = async (askers: readonly Client[]): Promise<void> => {
      let isFull = false;
      const askOn = async (agent: Client): Promise<void> => {
        while (!isFull) {
          const refusal = await ask(agent);
          if (refusal === undefined) queued += 1;
          else refusals.push(refusal);
          isFull ||= refusal !== undefined;
        }
      };
      await Promise.all(askers.map(askOn));
    };
    // Each agent stays below its own limit, and all together stay below theirs.
    const askers = agents.flatMap((agent) => Array.from({ length: AT_ONCE }, () => agent));
    const askSome = async (agent: Client): Promise<void> => {
      for (let asked = 0; asked < SOME / AT_ONCE; asked += 1) {
        expect(await ask(agent)).toBeUndefined();
        queued += 1;
      }
    };
    await Promise.all(askers.map(askSome));
    await fill(agents);
    await fill(agents.slice(0, 8));
    await fill(agents.slice(0, 2));
    for (const agent of agents) await fill([agent]);
    expect([...new Set(refusals)]).toEqual([expect.stringContaining(REFUSAL)]);
    expect(queued).toBe(MOST_OPEN);
    const [oldest] = (
      await api.call<{ items: { interactionId: string }[] }>("GET", "/interactions?limit=1")
    ).body.items;

    const { sessionId } = await api.createSession({ agent: "demo" });
    await api.send(sessionId, "Ask me two questions");
    await pending(api, sessionId);
    // Each answer makes room for one more.
    const { status } = await api.respond(oldest!.interactionId, { action: "cancel" });
    expect(status).toBe(200);
    const [first, second] = agents;
    expect(await ask(first!)).toBeUndefined();
    expect(await ask(second!)).toContain(REFUSAL);
    await annotate(`${queued + refusals.length} questions of ${AGENTS} agents`, "cases");
  },
);

/** A gateway with calls that end as queued after a short time. */
async function startImpatient(open: AsyncDisposableStack): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-open-"));
  open.defer(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "holdpoint"));
  const file = join(folder, "holdpoint", "config.json");
  await writeFile(file, JSON.stringify({ toolHoldLimitMs: HELD_MS }));
  return open.use(await startGateway({ env: { XDG_CONFIG_HOME: folder } }));
}

/** Resolves with the refusal, or `undefined` when the question is queued. */
async function ask(agent: Client): Promise<string | undefined> {
  const called = { name: "ask_user", arguments: { question: "Which?" } };
  const { content, isError } = await agent.callTool(called, undefined, { timeout: PATIENCE_MS });
  return isError === true ? JSON.stringify(content) : undefined;
}
