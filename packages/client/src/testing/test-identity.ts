import {
  type GatewayHello,
  PROTOCOL_VERSION,
  toStatementText,
  toThumbprintText,
} from "@holdpoint/protocol";

import { hashText, toBase64Url } from "../transports/device/base64-url.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** The key of a gateway, and its answer to a page that asks for its identity. */
export interface TestIdentity {
  readonly thumbprint: string;
  /** `changes` are applied after signing. */
  answer(body: string, changes?: Partial<GatewayHello>): Promise<Response>;
}

export async function createTestIdentity(): Promise<TestIdentity> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ["sign"]);
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const publicKey = { x, y };
  let count = 0;
  return {
    thumbprint: await hashText(toThumbprintText(publicKey)),
    async answer(body, changes) {
      const asked = JSON.parse(body) as { challenge: string; origin: string };
      const said = { protocolVersion: PROTOCOL_VERSION, nonce: `nonce-${(count += 1)}` };
      const text = new TextEncoder().encode(toStatementText({ ...asked, ...said }));
      const signature = toBase64Url(await crypto.subtle.sign(ALGORITHM, pair.privateKey, text));
      return new Response(JSON.stringify({ publicKey, signature, ...said, ...changes }));
    },
  };
}
