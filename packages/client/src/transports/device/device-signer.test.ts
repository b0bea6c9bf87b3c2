import type { GatewayHello } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createSimulatedClock } from "../../testing/simulated-clock.ts";
import { createTestIdentity } from "../../testing/test-identity.ts";
import { createHttpRequester } from "../http/http-request.ts";
import { createTransportScope } from "../transport-scope.ts";
import { createDeviceKey } from "./device-key.ts";
import { createDeviceSigner } from "./device-signer.ts";

/** A device whose server answers `hello` with the identity, and everything else with `answer`. */
async function open(options: {
  readonly changes?: () => Partial<GatewayHello>;
  readonly answer?: (proof: Record<string, unknown>) => Promise<Response>;
  readonly baseUrl?: string;
}) {
  const {
    changes,
    answer = async () => new Response("{}"),
    baseUrl = "http://gateway.test",
  } = options;
  const identity = await createTestIdentity();
  const known: string[] = [];
  const hellos: string[] = [];
  const proofs: Record<string, unknown>[] = [];
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    if (String(input).endsWith("/api/auth/hello")) {
      hellos.push(init.body as string);
      return identity.answer(init.body as string, changes?.());
    }
    const headers = new Headers(init.headers);
    expect(headers.get("authorization")).toBe("DPoP secret");
    const [, payload = ""] = (headers.get("dpop") ?? "").split(".");
    const proof = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as object;
    proofs.push(proof as Record<string, unknown>);
    return answer(proof as Record<string, unknown>);
  };
  const clock = createSimulatedClock();
  const key = await createDeviceKey();
  const device = { key, token: "secret", tokenId: "tok", gateway: identity.thumbprint };
  const onChecked = (result: string): void => void known.push(result);
  const signer = createDeviceSigner({ baseUrl, device, clock, onChecked, fetch });
  const scope = createTransportScope({ clock });
  const { request } = createHttpRequester({
    ...scope,
    baseUrl,
    token: signer,
    clientId: "c",
    fetch,
  });
  return { signer, request, known, hellos, proofs };
}

const get = { method: "GET", path: "/api/sessions", query: { limit: 1 } } as const;

test("the gateway proves itself once, then each request carries a new proof", async () => {
  const { request, known, hellos, proofs } = await open({});
  await Promise.all([request(get), request(get)]);
  await request({ method: "POST", path: "/api/sessions", body: { agent: "demo" } });
  expect(hellos).toHaveLength(1);
  expect(known).toEqual(["known"]);
  expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(3);
  expect(proofs[0]).toMatchObject({
    htm: "GET",
    htu: "http://gateway.test/api/sessions",
    nonce: "nonce-1",
  });
  expect(proofs.map(({ bodyHash }) => typeof bodyHash)).toEqual([
    "undefined",
    "undefined",
    "string",
  ]);
});

test.each<[string, Partial<GatewayHello>]>([
  ["another nonce", { nonce: "mine" }],
  ["another version", { protocolVersion: 99 }],
  ["another signature", { signature: "A".repeat(86) }],
  ["no signature", { signature: "" }],
  ["another key", { publicKey: { x: "A".repeat(43), y: "A".repeat(43) } }],
  ["no key", { publicKey: undefined as never }],
])("a gateway that shows %s gets nothing", async (_, changes) => {
  const { request, known, proofs } = await open({ changes: () => changes });
  await expect(request(get)).rejects.toMatchObject({ code: "GATEWAY_UNKNOWN" });
  expect(known).toEqual(["unknown"]);
  expect(proofs).toEqual([]);
});

test("a recorded answer is refused for the next question", async () => {
  let recorded: GatewayHello | undefined;
  const scene = await open({ changes: () => recorded ?? {} });
  const identity = await createTestIdentity();
  await scene.request(get);
  const first = await identity.answer(scene.hellos[0]!);
  recorded = (await first.json()) as GatewayHello;
  scene.signer.distrust();
  await expect(scene.request(get)).rejects.toMatchObject({ code: "GATEWAY_UNKNOWN" });
});

test("after a lost connection the gateway proves itself again before anything is sent", async () => {
  let isThere = true;
  const { signer, request, hellos, proofs } = await open({
    answer: async () => {
      if (isThere) return new Response("{}");
      throw new TypeError("Failed to fetch");
    },
  });
  await request(get);
  isThere = false;
  await expect(request(get)).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  isThere = true;
  await request(get);
  expect(hellos).toHaveLength(2);
  expect(proofs.at(-1)).toMatchObject({ nonce: "nonce-2" });
  signer.distrust();
  signer.renew("from whoever answers");
  await request(get);
  expect(proofs.at(-1)).toMatchObject({ nonce: "nonce-3" });
});

test("a request with a stale proof is repeated only once, with the current nonce", async () => {
  let stale = 1;
  const problem = { code: "PROOF_STALE", detail: "Old.", status: 401 };
  const { request, proofs } = await open({
    answer: async () => {
      if (stale === 0) return new Response('{"items":[]}');
      stale -= 1;
      const headers = { "DPoP-Nonce": "fresh" };
      return new Response(JSON.stringify(problem), { status: 401, headers });
    },
  });
  expect(await request(get)).toEqual({ items: [] });
  expect(proofs.map(({ nonce }) => nonce)).toEqual(["nonce-1", "fresh"]);
  stale = 2;
  await expect(request(get)).rejects.toMatchObject({ code: "PROOF_STALE" });
  expect(proofs).toHaveLength(4);
});
