import type { HoldRequest, TurnContext } from "@holdpoint/engine";
import type { Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { beginSignIn, bringBack, toDevice } from "../testing/issuer-sign-in.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import type { CallInit } from "../testing/serve.ts";
import { signIn } from "../testing/test-device.ts";
import { openTestIssuer } from "../testing/test-issuer.ts";
import { waitFor } from "../testing/wait-for.ts";

const CONFIGURED = "configured-token-of-at-least-32-characters";
/** One more than over the network. */
const WAYS = 6;

type Call = (path: string, init?: CallInit) => Promise<Response>;

async function askOften(_message: unknown, context: TurnContext) {
  const request: HoldRequest = {
    kind: "approval",
    toolCallId: "call",
    toolName: "Bash",
    input: {},
    display: {},
    scopes: ["once"],
    scopeText: {},
    editable: false,
  };
  const asked = Array.from({ length: WAYS }, (_, index) =>
    context.hold({ ...request, toolCallId: `call_${index}` }, context),
  );
  await Promise.all(asked);
  return { reason: "done" } as const;
}

/** A gateway with an issuer that knows Maria, and a caller for each way to be signed in. */
async function openWays() {
  const stack = new AsyncDisposableStack();
  const issuer = stack.use(await openTestIssuer());
  const admit = [{ subject: "maria", role: "owner" }] as const;
  const clientSecret = "s".repeat(32);
  const home = { id: "home", issuer: issuer.url, clientId: "gateway", clientSecret, admit };
  const people = { issuers: [home], key: new Uint8Array(32).fill(7) };
  const options = { people, personToken: CONFIGURED };
  const served = stack.use(await serveEngine(askOften, options));
  const launched = await signIn(served);
  const { browser, url } = await beginSignIn(served, "home");
  const answer = issuer.confirm(url, "maria");
  const back = await bringBack(served, browser, { issuerId: "home", answer });
  const maria = await toDevice(served, browser, back);
  const made = async (path: string, body?: object): Promise<{ code: string; token: string }> =>
    (await (await maria.call(path, { method: "POST", body })).json()) as never;
  const { code } = await made("/api/pairings");
  const createLaunchUrl = (): string => `${served.url}/#code=${code}`;
  const paired = await signIn({ ...served, server: { ...served.server, createLaunchUrl } });
  const script = { label: "Script", scope: "respond", expiresInDays: 30 };
  const { token } = await made("/api/program-tokens", script);
  const by =
    (own: string): Call =>
    (path, init = {}) =>
      served.call(path, { ...init, token: own });
  return {
    served,
    issuer: new URL(issuer.url).href,
    ways: [launched.call, maria.call, paired.call, by(token), by(CONFIGURED)] as Call[],
    secrets: [code, token, CONFIGURED, launched.token, maria.token, paired.token],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test("each answer records how its person was signed in, and nothing that could sign anyone in", async () => {
  await using place = await openWays();
  const { served, ways, issuer } = place;
  const { gateway } = served;
  const ada = { principal: "person", person: "Ada", client: "Test" } as const;
  const { sessionId } = await gateway.createSession(ada, { agent: "scripted" });
  await gateway.sendMessage(ada, sessionId, { content: "Go on." });
  const list = () => gateway.listInteractions(ada, { status: ["pending"], limit: WAYS });
  await waitFor(async () => expect((await list()).items).toHaveLength(WAYS));
  const asked = (await list()).items;
  const said: unknown[] = [];
  for (const [index, way] of ways.entries()) {
    const path = `/api/interactions/${asked[index]!.interactionId}`;
    const deny = { method: "POST", body: { action: "deny" } };
    expect((await way(`${path}/response`, deny)).status).toBe(200);
    const { by } = (await (await served.call(path)).json()) as Interaction;
    said.push(by?.signedIn);
  }
  const at = "2026-01-01T00:00:00.000Z";
  expect(said).toEqual([
    { how: "launch_code", at },
    { how: "issuer", issuer, at },
    { how: "pairing_code", issuer, at },
    { how: "program_token", issuer, at },
    { how: "configured_token" },
  ]);
  // An app that embeds the gateway has signed no one in.
  const own = asked[WAYS - 1]!.interactionId;
  await gateway.respond(ada, own, { action: "deny" });
  const { by } = (await (await served.call(`/api/interactions/${own}`)).json()) as Interaction;
  expect([by?.client, by?.signedIn]).toEqual(["Test", undefined]);
  const text = JSON.stringify(said);
  for (const secret of place.secrets) expect(text).not.toContain(secret);
});
