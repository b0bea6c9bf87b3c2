import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An issuer's claims about a person, true or false. */
export type Said = Readonly<Record<string, unknown>>;

/** An issuer of OpenID Connect on loopback, which can misbehave. */
export interface TestIssuer extends AsyncDisposable {
  readonly url: string;
  /** Overrides of its metadata. */
  metadata: Said;
  /** Overrides of the claims in its tokens. `undefined` omits a claim. */
  claims: Said;
  /** Its answer to a userinfo request. */
  userinfo: Said;
  /** It answers everything with 503. */
  isDown: boolean;
  /** Paths of the requests to it. */
  readonly paths: string[];
  /** From now on it signs with another key, and publishes only that one. */
  rotate(): void;
  /** From now on it signs with a key that it does not publish. */
  forge(): void;
  /** The person agrees: returns the query with which the browser is sent back. */
  confirm(url: string, subject: string, extra?: Readonly<Record<string, string>>): string;
}

interface Granted {
  readonly subject: string;
  readonly challenge: string;
  readonly nonce: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

export async function openTestIssuer(): Promise<TestIssuer> {
  const granted = new Map<string, Granted>();
  let signing = createSigningKey();
  let shown = [signing.jwk];
  const issuer: TestIssuer = {
    url: "",
    metadata: {},
    claims: {},
    userinfo: {},
    isDown: false,
    paths: [],
    rotate() {
      signing = createSigningKey();
      shown = [signing.jwk];
    },
    forge() {
      const { kid } = signing;
      signing = { ...createSigningKey(), kid };
    },
    confirm(url, subject, extra = {}) {
      const { searchParams: asked } = new URL(url);
      const code = randomUUID();
      granted.set(code, {
        subject,
        challenge: asked.get("code_challenge") ?? "",
        nonce: asked.get("nonce") ?? "",
        clientId: asked.get("client_id") ?? "",
        redirectUri: asked.get("redirect_uri") ?? "",
      });
      const state = asked.get("state") ?? "";
      return new URLSearchParams({ code, state, iss: issuer.url, ...extra }).toString();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const answerToken = async (incoming: IncomingMessage): Promise<[number, object]> => {
    const body = new URLSearchParams(await text(incoming));
    const grant = granted.get(body.get("code") ?? "");
    granted.delete(body.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      grant?.challenge === challenge && grant.redirectUri === body.get("redirect_uri");
    if (!grant || !isRight) return [400, { error: "invalid_grant" }];
    const nowS = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer.url,
      sub: grant.subject,
      aud: grant.clientId,
      nonce: grant.nonce,
      iat: nowS,
      exp: nowS + 300,
      ...issuer.claims,
    };
    return [
      200,
      {
        access_token: `access ${grant.subject}`.replaceAll(/\W/g, "-"),
        token_type: "Bearer",
        id_token: toJwt(claims, signing),
      },
    ];
  };
  const answer = async (incoming: IncomingMessage): Promise<[number, object]> => {
    const path = new URL(incoming.url ?? "", issuer.url).pathname;
    issuer.paths.push(path);
    if (issuer.isDown) return [503, {}];
    switch (path) {
      case "/.well-known/openid-configuration":
        return [200, { ...metadataOf(issuer.url), ...issuer.metadata }];
      case "/jwks":
        return [200, { keys: shown }];
      case "/token":
        return answerToken(incoming);
      case "/me":
        return [200, { ...issuer.userinfo }];
      default:
        return [404, {}];
    }
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      ([status, body]) => send(outgoing, status, body),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(issuer, { url: `http://127.0.0.1:${port}` });
}

function send(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}

function metadataOf(url: string): Said {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

function createSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kid = randomUUID();
  return {
    kid,
    privateKey,
    jwk: { ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" },
  };
}

function toJwt(claims: object, { kid, privateKey }: SigningKey): string {
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${encode({ alg: "ES256", kid })}.${encode(claims)}`;
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${body}.${sign("sha256", Buffer.from(body), key).toString("base64url")}`;
}
