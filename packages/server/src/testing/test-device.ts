import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

import type { ProofClaims, PublicKey } from "@holdpoint/protocol";

import type { CallInit, Served } from "./serve.ts";

/** A device with its own key, which can misbehave. */
export interface TestDevice {
  readonly token: string;
  readonly tokenId: string;
  /** A request with its proof; `claims` and `header` change the proof. */
  readonly call: (path: string, init?: DeviceCall) => Promise<Response>;
  /** A proof alone. */
  readonly prove: (request: ProofRequest) => Promise<string>;
}

export interface ProofRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly claims?: Partial<Record<keyof ProofClaims, unknown>>;
  readonly header?: object;
  /** Default: the device's own. */
  readonly privateKey?: KeyObject;
}

export interface DeviceCall extends CallInit, Pick<ProofRequest, "claims" | "header"> {
  /** Default: a fresh one. */
  readonly proof?: string;
}

type Place = Pick<Served<unknown>, "call" | "url">;

/** Signs in a new device with a launch code, as a page does. */
export async function signIn(
  served: Place & Pick<Served<unknown>, "server">,
  label = "Laptop",
): Promise<TestDevice> {
  const code = codeOf(served.server.createLaunchUrl());
  const device = createKeyedDevice(served);
  const body = JSON.stringify({ code, label });
  const path = "/api/auth/exchange";
  const proof = await device.prove({ method: "POST", path, body });
  const answer = await served.call(path, {
    method: "POST",
    body,
    token: null,
    headers: { dpop: proof },
  });
  const { token, tokenId } = (await answer.json()) as { token: string; tokenId: string };
  return createKeyedDevice(served, { ...device, token, tokenId });
}

/** The gateway's answer to a code, with the proof of a new key. */
export async function exchange(
  served: Place,
  code: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const path = "/api/auth/exchange";
  const init = { method: "POST", body: JSON.stringify({ code }) };
  const dpop = await createKeyedDevice(served).prove({ ...init, path });
  return served.call(path, { ...init, token: null, headers: { ...headers, dpop } });
}

interface Keyed {
  readonly publicKey: PublicKey;
  readonly privateKey: KeyObject;
  readonly token?: string;
  readonly tokenId?: string;
}

/** A device with a key, and optionally a token. */
export function createKeyedDevice(
  served: Place,
  { publicKey, privateKey, token, tokenId = "" }: Keyed = createKey(),
): TestDevice & Keyed {
  const prove = async (request: ProofRequest): Promise<string> => {
    const { method = "GET", path, body = "", claims, header } = request;
    const said: ProofClaims = {
      jti: randomBytes(16).toString("base64url"),
      htm: method,
      htu: served.url + path.split("?")[0],
      iat: 0,
      nonce: await readNonce(served),
      ...(token !== undefined && { ath: hash(token) }),
      ...(body !== "" && { bodyHash: hash(body) }),
    };
    const jwk = { kty: "EC", crv: "P-256", ...publicKey };
    const head = { typ: "dpop+jwt", alg: "ES256", jwk, ...header };
    const text = `${encode(head)}.${encode({ ...said, ...claims })}`;
    const key = { key: request.privateKey ?? privateKey, dsaEncoding: "ieee-p1363" } as const;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
  return {
    publicKey,
    privateKey,
    token: token ?? "",
    tokenId,
    prove,
    async call(path, { method = "GET", body, proof, claims, header, ...init } = {}) {
      const text = typeof body === "object" ? JSON.stringify(body) : (body as string | undefined);
      const fresh = { method, path, ...(claims && { claims }), ...(header && { header }) };
      const dpop = proof ?? (await prove({ ...fresh, ...(text && { body: text }) }));
      return served.call(path, {
        ...init,
        method,
        ...(text !== undefined && { body: text }),
        token: null,
        headers: { authorization: `DPoP ${token}`, dpop, ...init.headers },
      });
    },
  };
}

export function createKey(): Keyed {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return { publicKey: { x, y }, privateKey };
}

/** The one-time code of a launch URL. */
export function codeOf(launchUrl: string): string {
  return new URLSearchParams(new URL(launchUrl).hash.slice(1)).get("code") ?? "";
}

/** The current nonce, which the gateway gives to everyone. */
export async function readNonce({ call, url }: Place): Promise<string> {
  const body = { challenge: randomBytes(16).toString("base64url"), origin: new URL(url).origin };
  const answer = await call("/api/auth/hello", { method: "POST", body, token: null });
  return ((await answer.json()) as { nonce: string }).nonce;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
