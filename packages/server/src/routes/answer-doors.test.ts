import type { HoldRequest, TurnContext } from "@holdpoint/engine";
import type { Caller, Interaction, Session } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { openWelcomed, type TestSocket } from "../testing/open-socket.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import { waitFor } from "../testing/wait-for.ts";

const ada: Caller = { principal: "person", person: "Ada", client: "program" };

const approval: HoldRequest = {
  kind: "approval",
  toolCallId: "call_1",
  toolName: "Bash",
  input: { command: "ls" },
  display: {},
  scopes: ["once"],
  scopeText: {},
  editable: false,
};

async function askApproval(
  context: TurnContext,
  changes: Pick<HoldRequest, "responders">,
): Promise<void> {
  const request = { ...approval, ...changes };
  const result = await context.hold(request, { signal: context.signal });
  if (result.outcome === "answered") await result.delivered();
}

/** The result of a response: its status as over HTTP, and the code of the problem. */
interface Verdict {
  readonly status: number;
  readonly code?: string;
}

/** A gateway whose agent asks for an approval in each turn, with every door through which one can answer it. */
async function serveDoors(changes: Pick<HoldRequest, "responders"> = {}) {
  const served = await serveEngine(async (_, context) => {
    await askApproval(context, changes);
    return { reason: "done" };
  });
  const { gateway } = served;
  const post = (path: string, body: unknown, headers = {}) =>
    served.call(path, { method: "POST", body: body as object, headers });
  /** A device with this client id, or one that leaves it out. */
  const from = (clientId?: string) =>
    clientId === undefined ? {} : { "x-holdpoint-client": clientId };
  const toVerdict = async (answer: Response): Promise<Verdict> => ({
    ...((await answer.json()) as object),
    status: answer.status,
  });
  const socket = await openWelcomed(served);
  let requests = 0;
  const overSocket = async (frame: object, by: TestSocket = socket): Promise<Verdict> => {
    const requestId = `r${(requests += 1)}`;
    by.send({ ...frame, requestId });
    for (;;) {
      const got = await by.next();
      if (got["requestId"] !== requestId && got.type !== "error") continue;
      if (got.type === "result") return { status: 200 };
      return got["problem"] as Verdict;
    }
  };
  const inProcess = async (answer: Promise<unknown>): Promise<Verdict> => {
    const result = (await answer) as { status: string; problem?: Verdict };
    return result.problem ?? { status: 200 };
  };
  const request = (method: string, params: object) => ({ type: "request", method, params });

  type Door = (asked: Interaction, said: object) => Promise<Verdict>;
  const doors: Readonly<Record<string, Door>> = {
    "HTTP respond": async ({ interactionId }, said) =>
      toVerdict(
        await post(`/api/interactions/${interactionId}/response`, { action: "approve", ...said }),
      ),
    "HTTP approve": async ({ sessionId, toolCallId }, said) =>
      toVerdict(await post(`/api/sessions/${sessionId}/approve`, { toolCallId, ...said })),
    "socket respond": ({ interactionId }, said) =>
      overSocket(request("respond", { interactionId, body: { action: "approve", ...said } })),
    "socket approveTool": ({ sessionId, toolCallId }, said) =>
      overSocket(request("approveTool", { sessionId, body: { toolCallId, ...said } })),
    "socket tool_interaction_response": ({ sessionId, interactionId }, said) =>
      overSocket({
        type: "tool_interaction_response",
        sessionId,
        interactionId,
        action: "approve",
        ...said,
      }),
    "in-process respond": ({ interactionId }, said) =>
      inProcess(gateway.respond(ada, interactionId, { action: "approve", ...said })),
    "in-process approveTool": ({ sessionId, toolCallId }, said) =>
      inProcess(gateway.approveTool(ada, sessionId, { toolCallId, ...said } as never)),
  };
  /** A fresh approval, pending. */
  const ask = async (): Promise<Interaction> => {
    const created = await post("/api/sessions", { agent: "scripted" });
    const { sessionId } = (await created.json()) as Session;
    await post(`/api/sessions/${sessionId}/messages`, { content: "Go" });
    return waitFor(async () => {
      const { items } = await gateway.listInteractions(ada, {
        status: ["pending"],
        sessionId,
        limit: 10,
      });
      expect(items).toHaveLength(1);
      return items[0]!;
    });
  };
  const statusOf = async ({ interactionId }: Interaction) =>
    (await gateway.getInteraction(ada, interactionId)).status;
  return {
    ...served,
    doors: Object.entries(doors),
    ask,
    from,
    post,
    statusOf,
    overSocket,
    toVerdict,
    async [Symbol.asyncDispose]() {
      await socket.leave();
      await served[Symbol.asyncDispose]();
    },
  };
}

const REFUSALS = new Set(["BAD_REQUEST", "INVALID_RESPONSE", "DIGEST_MISMATCH"]);

test("[R-6] no route accepts an approval without the digest of the shown input", async ({
  annotate,
}) => {
  await using served = await serveDoors();
  const other = await served.ask();
  const wrongs = ({ approval: asked }: Interaction): object[] => {
    const { digest } = asked!;
    const texts = ["", " ", digest.slice(1), digest.toUpperCase(), `${digest} `, `${digest}0`];
    const others = [other.approval!.digest, null, 0, [digest], { digest }];
    return [{}, ...[...texts, ...others].map((wrong) => ({ digest: wrong }))];
  };
  const planned = served.doors.length * wrongs(other).length;
  const through: string[] = [];
  const shut: string[] = [];
  let tried = 0;
  for (const [name, answer] of served.doors) {
    const asked = await served.ask();
    for (const wrong of wrongs(asked)) {
      const { status, code = "" } = await answer(asked, wrong);
      const isRefused = status >= 400 && status < 500 && REFUSALS.has(code);
      if (!isRefused || (await served.statusOf(asked)) !== "pending") {
        through.push(`${name} ${JSON.stringify(wrong)}: ${status} ${code}`);
        break;
      }
      tried += 1;
    }
    // The door works: with the digest it accepts the approval.
    const right = await served.ask();
    const taken = await answer(right, { digest: right.approval!.digest });
    if (taken.status !== 200) shut.push(`${name}: ${taken.status} ${taken.code}`);
  }
  expect(through).toEqual([]);
  expect(shut).toEqual([]);
  expect(tried).toBe(planned);
  await annotate(`${tried} approvals without the right digest, through 7 doors`, "cases");
});

test("[R-5] no route accepts a yes from a person who may not give it, and each gives the reason", async () => {
  await using served = await serveDoors({ responders: [{ who: [{ group: "ops" }], need: 2 }] });
  const asked = await served.ask();
  const refusedBy = async (answer: (typeof served.doors)[number][1]) =>
    answer(asked, { digest: asked.approval!.digest }).catch((error: unknown) => error);
  for (const [name, answer] of served.doors) {
    const verdict = await refusedBy(answer);
    const isError = name.startsWith("in-process");
    const refused = { code: "NOT_RESPONDER", ...(!isError && { status: 403 }) };
    expect({ name, verdict }).toMatchObject({ name, verdict: refused });
  }
  expect(await served.statusOf(asked)).toBe("pending");
});

test("[R-1] the same key with another answer is refused with the winner, and changes nothing", async ({
  annotate,
}) => {
  await using served = await serveDoors();
  const asked = await served.ask();
  const { digest } = asked.approval!;
  const path = `/api/interactions/${asked.interactionId}/response`;
  const key = { idempotencyKey: "key-number-1" };
  const won = { action: "deny", reason: "No.", ...key };
  const others: object[] = [
    { action: "approve", digest },
    { action: "approve", digest: "0".repeat(64) },
    { action: "approve" },
    { action: "deny" },
    { action: "deny", reason: "Yes." },
    { action: "deny", reason: "No.", stopTurn: true },
    { action: "cancel" },
    { action: "submit", answers: [] },
  ];
  expect((await served.post(path, won)).status).toBe(200);
  const before = await served.gateway.getInteraction(ada, asked.interactionId);
  for (const body of others) {
    const answers = [
      await served.toVerdict(await served.post(path, { ...body, ...key })),
      await served.overSocket({
        type: "request",
        method: "respond",
        params: { interactionId: asked.interactionId, body: { ...body, ...key } },
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 409,
        code: "ALREADY_ANSWERED",
        winner: { action: "deny", reason: "No." },
      });
    }
  }
  expect((await served.post(path, won)).status).toBe(200);
  expect(await served.gateway.getInteraction(ada, asked.interactionId)).toEqual(before);
  await annotate(`${others.length} other answers with a used key, over 2 transports`, "cases");
});

test("[R-1] the same key with another message is refused, and sends nothing", async () => {
  await using served = await serveDoors();
  const { sessionId } = await served.ask();
  const path = `/api/sessions/${sessionId}/messages`;
  const send = (content: string) =>
    served.post(path, { content, queue: true, idempotencyKey: "key-number-1" });
  expect((await send("Go on.")).status).toBe(202);
  expect(await served.toVerdict(await send("Delete all."))).toMatchObject({
    status: 409,
    code: "KEY_REUSED",
  });
  expect((await send("Go on.")).status).toBe(202);
  const { items } = await served.gateway.listQueue(ada, sessionId);
  expect(items.map(({ content }) => content)).toEqual(["Go on."]);
});

test("[R-13] a device that is switched off cannot answer by omitting its client header", async () => {
  await using served = await serveDoors();
  const asked = await served.ask();
  const { sessionId, toolCallId } = asked;
  const off = { ...served.from("cli_off"), method: "PUT", body: { enabled: false } };
  const answers = [
    [`/api/interactions/${asked.interactionId}/response`, { action: "deny" }],
    [`/api/sessions/${sessionId}/deny`, { toolCallId }],
    [`/api/sessions/${sessionId}/approve`, { toolCallId, digest: asked.approval!.digest }],
  ] as const;
  for (const headers of [served.from("cli_off"), served.from()]) {
    await served.call("/api/clients/cli_off/interaction-mode", { ...off, headers });
    for (const [path, body] of answers) {
      for (const by of [served.from("cli_off"), served.from()]) {
        const verdict = await served.toVerdict(await served.post(path, body, by));
        expect(verdict).toMatchObject({ status: 403, code: "INTERACTION_DISABLED" });
      }
    }
    const on = { method: "PUT", body: { enabled: true }, headers };
    await served.call("/api/clients/cli_off/interaction-mode", on);
  }
  expect((await served.post(...answers[0])).status).toBe(200);
});

test("[R-13] a client that cannot show interactions cannot answer, even when it is switched on", async () => {
  await using served = await serveDoors();
  const asked = await served.ask();
  const interaction = { supported: false, enabled: true };
  const blind = await openWelcomed(served, { clientId: "cli_blind", interaction });
  const deny = {
    type: "tool_interaction_response",
    sessionId: asked.sessionId,
    interactionId: asked.interactionId,
    action: "deny",
  };
  const refused = { code: "INTERACTION_DISABLED" };
  expect(await served.overSocket(deny, blind)).toMatchObject(refused);
  expect(
    await served.overSocket({ type: "set_interaction_mode", enabled: true }, blind),
  ).toMatchObject({ status: 200 });
  expect(await served.overSocket(deny, blind)).toMatchObject(refused);
  const path = `/api/interactions/${asked.interactionId}/response`;
  for (const headers of [served.from("cli_blind"), served.from()]) {
    const verdict = await served.toVerdict(await served.post(path, { action: "deny" }, headers));
    expect(verdict).toMatchObject(refused);
  }
  await blind.leave();
  const seeing = await openWelcomed(served, {
    clientId: "cli_blind",
    interaction: { supported: true, enabled: true },
  });
  expect(await served.overSocket(deny, seeing)).toMatchObject({ status: 200 });
  await seeing.leave();
});
