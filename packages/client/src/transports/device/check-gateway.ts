import {
  type GatewayHello,
  errorFactsOf,
  ProtocolError,
  toStatementText,
  toThumbprintText,
} from "@holdpoint/protocol";

import { ClientError } from "../client-error.ts";
import type { HttpRequester } from "../http/http-request.ts";
import { fromBase64Url, hashText, toBase64Url } from "./base64-url.ts";
import { isSignedBy } from "./device-key.ts";

export interface KnownGateway {
  /** The gateway's origin as the page knows it. */
  readonly origin: string;
  /** The thumbprint of the gateway's key. Absent: any key is accepted. */
  readonly thumbprint: string | undefined;
}

/** A gateway that has proven its identity. */
export interface ProvenGateway {
  readonly thumbprint: string;
  /** The nonce for the next proofs. */
  readonly nonce: string;
}

/**
 * Makes the gateway prove its identity, and sends it nothing but a random challenge. Rejects with `GATEWAY_UNKNOWN`
 * when another program answers, and with `CONNECTION_CLOSED` or `REQUEST_TIMEOUT` when there is no answer.
 */
export async function checkGateway(
  { request }: Pick<HttpRequester, "request">,
  { origin, thumbprint }: KnownGateway,
): Promise<ProvenGateway> {
  const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  try {
    const { publicKey, signature, protocolVersion, nonce } = await request<GatewayHello>({
      method: "POST",
      path: "/api/auth/hello",
      body: { challenge, origin },
    });
    const shown = await hashText(toThumbprintText(publicKey));
    const text = toStatementText({ challenge, origin, protocolVersion, nonce });
    const isRight = (thumbprint ?? shown) === shown;
    if (isRight && (await isSignedBy(publicKey, text, fromBase64Url(signature)))) {
      return { thumbprint: shown, nonce };
    }
  } catch (cause: unknown) {
    if (isAbsence(cause)) throw cause;
    throw unknownGateway(cause);
  }
  throw unknownGateway();
}

/** Whether the gateway is unreachable or failing, which does not mean that another program answers. */
function isAbsence(error: unknown): boolean {
  if (ClientError.isInstance(error)) return error.code !== "BAD_ANSWER";
  return ProtocolError.isInstance(error) && errorFactsOf(error.code).status >= 500;
}

function unknownGateway(cause?: unknown): ClientError {
  return new ClientError("GATEWAY_UNKNOWN", "Another program answers at the gateway's address.", {
    cause,
  });
}
