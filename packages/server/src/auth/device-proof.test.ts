import { createPublicKey, randomBytes, verify } from "node:crypto";

import { type GatewayHello, toStatementText } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { routeKey } from "../http/route.ts";
import { openSocket, openWelcomed } from "../testing/open-socket.ts";
import { sampleRequest } from "../testing/sample-requests.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import { listRoutes, PERSON_TOKEN, serve } from "../testing/serve.ts";
import { createKey, createKeyedDevice, type ProofRequest, signIn } from "../testing/test-device.ts";
import { ProofNonces } from "./proof-nonces.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const path = "/api/sessions";

async function codeIn(answer: Response): Promise<string> {
  return ((await answer.json()) as { code: string }).code;
}

describe("a device's token", () => {
  test("without a proof is refused on every route, with a separate code", async ({ annotate }) => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const { token } = await signIn(served);
    const routes = listRoutes().filter(({ access }) => access !== "anyone");
    const got: string[] = [];
    for (const route of routes) {
      const { path: target, ...init } = sampleRequest(route);
      for (const scheme of ["Bearer", "DPoP"]) {
        const headers = { authorization: `${scheme} ${token}` };
        const answer = await served.call(target, { ...init, token: null, headers });
        expect(answer.headers.get("www-authenticate")).toBe('DPoP algs="ES256"');
        got.push(`${routeKey(route)} ${answer.status} ${await codeIn(answer)}`);
      }
    }
    const planned = routes.flatMap((route) =>
      ["Bearer", "DPoP"].map(() => `${routeKey(route)} 401 PROOF_REQUIRED`),
    );
    expect(got).toEqual(planned);
    expect(served.gateway.callers).toEqual([]);
    await annotate(`${got.length} requests with a stolen token`, "cases");
  });

  test("without a proof opens no WebSocket", async () => {
    await using served = await serve();
    const { token } = await signIn(served);
    const client = await openSocket(served);
    client.send({ type: "hello", token, clientId: "thief" });
    expect(await client.closed).toEqual({ code: 4401, reason: "PROOF_REQUIRED" });
  });

  test("[R-13] with a proof that is wrong in any way is refused", async ({ annotate }) => {
    await using served = await serve();
    const device = await signIn(served);
    const other = await signIn(served);
    const { privateKey, publicKey } = createKey();
    const body = JSON.stringify({ agent: "demo" });
    const right: ProofRequest = { method: "POST", path, body };
    const jwk = { kty: "EC", crv: "P-256", ...publicKey };
    const claims = (changes: Exclude<ProofRequest["claims"], undefined>): Promise<string> =>
      device.prove({ ...right, claims: changes });
    const good = await device.prove(right);
    const [head = "", payload = "", signature = ""] = good.split(".");
    const unsigned = Buffer.from(JSON.stringify({ typ: "dpop+jwt", alg: "none", jwk }));
    const wrong: Record<string, string> = {
      "another key's, in its name": await device.prove({ ...right, privateKey }),
      "another key": await device.prove({ ...right, privateKey, header: { jwk } }),
      "another device's": await other.prove(right),
      "another method": await claims({ htm: "GET" }),
      "another path": await claims({ htu: `${served.url}/api/interactions` }),
      "a path below": await claims({ htu: `${served.url}${path}/ses_1` }),
      "another port": await claims({ htu: `http://127.0.0.1:1${path}` }),
      "another host": await claims({ htu: `https://hold.example${path}` }),
      "a name in front": await claims({ htu: `http://a@127.0.0.1:${served.port}${path}` }),
      "a query": await claims({ htu: `${served.url}${path}?a` }),
      "no URL": await claims({ htu: path }),
      "another token": await claims({ ath: "x".repeat(43) }),
      "no token": await claims({ ath: undefined }),
      "another body": await claims({ bodyHash: "x".repeat(43) }),
      "no body": await claims({ bodyHash: undefined }),
      "no id": await claims({ jti: undefined }),
      "a short id": await claims({ jti: "1" }),
      "no time": await claims({ iat: undefined }),
      "no nonce": await claims({ nonce: undefined }),
      "another type": await device.prove({ ...right, header: { typ: "JWT" } }),
      "another algorithm": await device.prove({ ...right, header: { alg: "HS256" } }),
      "no algorithm": await device.prove({ ...right, header: { alg: "none" } }),
      "another curve": await device.prove({ ...right, header: { jwk: { ...jwk, crv: "P-384" } } }),
      "a private key": await device.prove({ ...right, header: { jwk: { ...jwk, d: jwk.x } } }),
      "a key off the curve": await device.prove({
        ...right,
        header: { jwk: { ...jwk, y: jwk.x } },
      }),
      "no signature": `${unsigned.toString("base64url")}.${payload}.`,
      "a signature of nothing": `${head}.${payload}.${"A".repeat(86)}`,
      "a bit of the signature": `${head}.${payload}.${signature.slice(0, -2)}${signature.endsWith("AA") ? "BA" : "AA"}`,
      "four parts": `${good}.x`,
      "two proofs": `${good}, ${good}`,
      "too long": `${head}.${"A".repeat(3000)}.${signature}`,
      nothing: "",
    };
    const got: Record<string, string> = {};
    for (const [name, proof] of Object.entries(wrong)) {
      // Wrong proofs are throttled as well.
      await served.clock.advance(1000);
      const answer = await device.call(path, { method: "POST", body, proof });
      got[name] = await codeIn(answer);
      if (answer.status === 429) await served.clock.advance(15 * MINUTE_MS);
    }
    const refused = Object.keys(wrong).map((name) => [name, got[name]]);
    for (const [, code] of refused) {
      expect(["PROOF_REFUSED", "PROOF_STALE", "RATE_LIMITED"]).toContain(code);
    }
    expect(refused).toHaveLength(Object.keys(wrong).length);
    expect(served.gateway.callers).toEqual([]);
    await annotate(`${refused.length} wrong proofs`, "cases");
    expect((await device.call(path, { method: "POST", body })).status).toBe(201);
  });

  test("[R-13] is refused with a used proof, over HTTP and in a socket, however many requests send it", async () => {
    await using served = await serve();
    const { token, call, prove } = await signIn(served);
    const proof = await prove({ path });
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(path, { proof })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    const ofSocket = await prove({ path: "/api/ws" });
    const first = await openWelcomed(served, { token, proof: ofSocket });
    const second = await openSocket(served);
    second.send({ type: "hello", token, proof: ofSocket, clientId: "thief" });
    expect(await second.closed).toMatchObject({ reason: "PROOF_REFUSED" });
    await first.leave();
  });

  test("[R-13] is useless to a thief with another key, over HTTP and in a socket", async () => {
    await using served = await serve();
    const { token } = await signIn(served);
    const thief = createKeyedDevice(served, { ...createKey(), token });
    const answer = await thief.call(path);
    expect([answer.status, await codeIn(answer)]).toEqual([401, "PROOF_REFUSED"]);
    const client = await openSocket(served);
    const proof = await thief.prove({ path: "/api/ws" });
    client.send({ type: "hello", token, proof, clientId: "thief" });
    expect(await client.closed).toMatchObject({ reason: "PROOF_REFUSED" });
    expect(served.gateway.callers).toEqual([]);
  });

  test("is refused with a proof from two to four minutes ago, and gets the current nonce", async () => {
    await using served = await serve();
    const { call, prove } = await signIn(served);
    const [early, late] = [await prove({ path }), await prove({ path })];
    await served.clock.advance(2 * MINUTE_MS);
    const renewed = await call(path, { proof: early });
    expect(renewed.status).toBe(200);
    await served.clock.advance(2 * MINUTE_MS);
    const stale = await call(path, { proof: late });
    expect([stale.status, await codeIn(stale)]).toEqual([401, "PROOF_STALE"]);
    expect(stale.headers.get("www-authenticate")).toContain('error="use_dpop_nonce"');
    const nonce = stale.headers.get("dpop-nonce");
    expect(nonce).not.toBe(renewed.headers.get("dpop-nonce"));
    expect((await call(path, { claims: { nonce } })).status).toBe(200);
  });

  test("works whatever its device's clock shows", async () => {
    await using served = await serve();
    const { call } = await signIn(served);
    for (const iat of [-1, 0, 4_102_444_800, Number.MAX_SAFE_INTEGER]) {
      expect((await call(path, { claims: { iat } })).status).toBe(200);
    }
  });

  test("[R-13] needs no further proof over a WebSocket after the first frame", async () => {
    await using served = await serveEngine();
    const { token, prove } = await signIn(served);
    const proof = await prove({ path: "/api/ws" });
    const client = await openWelcomed(served, { token, proof });
    const params = { body: { agent: "scripted" } };
    const frames = [
      { type: "request", method: "createSession", params },
      { type: "stop", sessionId: "ses_1" },
      { type: "user_message", sessionId: "ses_1", content: "Hello" },
      { type: "set_interaction_mode", enabled: false },
      {
        type: "tool_interaction_response",
        sessionId: "ses_1",
        interactionId: "int_1",
        action: "approve",
      },
    ];
    for (const [index, frame] of frames.entries()) {
      client.send({ ...frame, requestId: String(index) });
      expect(await client.next()).toMatchObject({ type: "error", code: "FORBIDDEN" });
    }
    client.send({
      type: "request",
      requestId: "read",
      method: "listSessions",
      params: { query: {} },
    });
    expect(await client.next()).toMatchObject({ type: "result", value: { items: [] } });
    await client.leave();
  });

  test.each([
    ["after 30 days without use", [30]],
    ["after 180 days of use", [20, 29, 29, 29, 29, 29, 15]],
  ])("ends %s", async (_, steps) => {
    await using served = await serveEngine();
    const { call, tokenId } = await signIn(served);
    for (const days of steps) {
      expect((await call(path)).status).toBe(200);
      await served.clock.advance(days * DAY_MS);
    }
    const answer = await call(path);
    expect([answer.status, await codeIn(answer)]).toEqual([401, "CREDENTIAL_ENDED"]);
    expect(await codeIn(await call(path))).toBe("CREDENTIAL_ENDED");
    const left = await served.credentials.list();
    expect(left.map((credential) => credential.tokenId)).not.toContain(tokenId);
  });
});

test("is no program's or agent's token, which take no proof", async () => {
  await using served = await serve({ personToken: "c".repeat(32) });
  const device = await signIn(served);
  for (const token of [PERSON_TOKEN, "c".repeat(32)]) {
    const keyed = createKeyedDevice(served, { ...createKey(), token });
    expect(await codeIn(await keyed.call(path))).toBe("PROOF_REFUSED");
  }
  expect((await device.call(path)).status).toBe(200);
});

describe("signing in", () => {
  test("needs a proof, and uses up no code without one", async () => {
    await using served = await serve();
    const url = new URL(served.server.createLaunchUrl());
    const code = new URLSearchParams(url.hash.slice(1)).get("code");
    const target = "/api/auth/exchange";
    const body = JSON.stringify({ code });
    const plain = await served.call(target, { method: "POST", body, token: null });
    expect([plain.status, await codeIn(plain)]).toEqual([401, "PROOF_REQUIRED"]);
    const { prove } = createKeyedDevice(served);
    const proof = await prove({ method: "POST", path: target, body });
    const headers = { dpop: proof };
    const answer = await served.call(target, { method: "POST", body, token: null, headers });
    expect(answer.status).toBe(200);
  });
});

describe("the gateway's hello", () => {
  const target = "/api/auth/hello";
  const challenge = randomBytes(16).toString("base64url");

  test("is its signature of the question, the address and a nonce, with the key of the launch link", async () => {
    await using served = await serve();
    const body = { challenge, origin: served.url };
    const answer = await served.call(target, { method: "POST", body, token: null });
    const said = (await answer.json()) as GatewayHello;
    const { publicKey, signature, protocolVersion, nonce } = said;
    const key = createPublicKey({
      format: "jwk",
      key: { kty: "EC", crv: "P-256", ...publicKey },
    });
    const text = toStatementText({ ...body, protocolVersion, nonce });
    const isRight = (statement: string): boolean =>
      verify(
        "sha256",
        Buffer.from(statement),
        { key, dsaEncoding: "ieee-p1363" },
        Buffer.from(signature, "base64url"),
      );
    expect([isRight(text), isRight(`${text} `)]).toEqual([true, false]);
  });

  test.each(["http://127.0.0.1:1", "https://hold.example", "null", "", "http://127.0.0.1"])(
    "is not given to a page of %o",
    async (origin) => {
      await using served = await serve();
      const body = { challenge, origin };
      const answer = await served.call(target, { method: "POST", body, token: null });
      expect([answer.status, await codeIn(answer)]).toEqual([403, "FORBIDDEN"]);
    },
  );

  test("has the same key after a restart with the same secret, and another one otherwise", async () => {
    const thumbprints: string[] = [];
    for (const identitySeed of [Buffer.alloc(32, 7), Buffer.alloc(32, 7), Buffer.alloc(32, 8)]) {
      await using served = await serve({ identitySeed });
      const url = new URL(served.server.createLaunchUrl());
      thumbprints.push(new URLSearchParams(url.hash.slice(1)).get("gateway") ?? "");
    }
    expect(thumbprints[0]).toMatch(/^[\w-]{43}$/);
    expect(thumbprints[1]).toBe(thumbprints[0]);
    expect(thumbprints[2]).not.toBe(thumbprints[0]);
  });
});

test("[R-13] [R-20] used proofs are remembered in bounded memory, and none is accepted twice", () => {
  const nonces = new ProofNonces({ now: () => 0, monotonic: () => 0 });
  const used: (readonly [nonce: string, id: string])[] = [];
  let fresh = 0;
  for (let index = 0; index < 100_000; index += 1) {
    const { current } = nonces;
    if (nonces.use(current, String(index)) === "fresh") fresh += 1;
    used.push([current, String(index)]);
  }
  expect(fresh).toBe(used.length);
  expect(new Set(used.map(([nonce]) => nonce)).size).toBe(5);
  expect(used.some(([nonce, id]) => nonces.use(nonce, id) === "fresh")).toBe(false);
});
