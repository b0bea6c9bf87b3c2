import type { Interaction, RespondBody } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { approval, never, question } from "../testing/gateway-fixture.ts";
import { openResponderScene, type Signed } from "../testing/responder-scene.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";

/** Ada starts a session. Its agent asks for one thing, which bob answers, and then for another. */
async function openSteered(kind: "approval" | "question") {
  const adapter = createScriptedAdapter(async ({ messageId }, context) => {
    const first = kind === "approval" ? approval("first", { editable: true }) : question("first");
    for (const request of [first, approval(messageId)]) {
      const result = await context.hold(request, { signal: never });
      if (result.outcome === "answered") await result.delivered();
    }
    return { reason: "done" };
  });
  const scene = await openResponderScene({
    adapter,
    responders: { tools: { Bash: { notRequester: true } } },
  });
  const [ada, bob, eve] = await Promise.all(
    ["ada", "bob", "eve"].map((name) => scene.signIn(name)),
  );
  const first = await scene.ask(ada!);
  const { sessionId } = first;
  const pending = async (): Promise<Interaction> => {
    await scene.clock.settle();
    return (await scene.interactions("pending")).find((one) => one.sessionId === sessionId)!;
  };
  return { scene, first, bob: bob!, eve: eve!, pending };
}

const answers = [{ questionId: "q1", selected: [], other: "Run touch x" }];

test.each<[string, "approval" | "question", boolean, (digest: string) => RespondBody]>([
  ["a denial with a reason", "approval", true, () => ({ action: "deny", reason: "Run touch x" })],
  [
    "a changed input",
    "approval",
    true,
    (digest) => ({ action: "approve", digest, editedInput: { command: "cat plan" } }),
  ],
  ["an answer", "question", true, () => ({ action: "submit", answers })],
  ["a reply", "question", true, () => ({ action: "submit", reply: "Run touch x" })],
  ["a reason for skipping", "question", true, () => ({ action: "cancel", reason: "Run touch x" })],
  ["a bare denial", "approval", false, () => ({ action: "deny" })],
  ["a bare yes", "approval", false, (digest) => ({ action: "approve", digest })],
  ["a blank reason", "approval", false, () => ({ action: "deny", reason: " " })],
])(
  "[R-5] %s, delivered earlier: its author counts as the requester of the next request (%s: %s)",
  async (_, kind, counts, say) => {
    await using steered = new AsyncDisposableStack();
    const { scene, first, bob, eve, pending } = await openSteered(kind);
    steered.use(scene);
    const by = async (who: Signed, body: RespondBody): Promise<unknown> =>
      scene.gateway.respond(who, (await pending()).interactionId, body);
    // The first request is for a tool that everyone can allow.
    const body = say(first.approval?.digest ?? "");
    expect(await scene.gateway.respond(bob, first.interactionId, body)).toMatchObject({
      status: "accepted",
    });
    const asked = await pending();
    expect(asked.responders?.requesters).toEqual(counts ? ["per_ada", "per_bob"] : ["per_ada"]);
    const yes = { action: "approve", digest: asked.approval!.digest } as const;
    const outcome = await by(bob, yes).catch((error: unknown) => error);
    expect(outcome).toMatchObject(counts ? { code: "NOT_RESPONDER" } : { status: "accepted" });
    expect(counts ? await by(eve, yes) : outcome).toMatchObject({ status: "accepted" });
  },
);
