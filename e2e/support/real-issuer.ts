import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { Provider } from "oidc-provider";

/** A person's account at the issuer. */
export interface Account {
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

/** A certified issuer of OpenID Connect, with pages to sign in, on loopback. */
export interface RealIssuer extends AsyncDisposable {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registers this gateway as the place that browsers return to. */
  register(gatewayUrl: string): void;
}

const CLIENT = { clientId: "holdpoint", clientSecret: "an-issuer-and-a-gateway-share-this" };

/** Opens an issuer with these accounts, by their sign-in names; any password is accepted. */
export async function openRealIssuer(
  accounts: Readonly<Record<string, Account>>,
): Promise<RealIssuer> {
  let listener: RequestListener = (_, outgoing) => outgoing.writeHead(503).end();
  const server = createServer((incoming, outgoing) => listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    ...CLIENT,
    register(gatewayUrl) {
      const provider = new Provider(url, {
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: [`${gatewayUrl}/signed-in/house.example.org`],
            response_types: ["code"],
            grant_types: ["authorization_code"],
          },
        ],
        claims: {
          openid: ["sub"],
          profile: ["name"],
          email: ["email", "email_verified"],
          groups: ["groups"],
        },
        scopes: ["openid", "profile", "email", "groups"],
        cookies: { keys: ["tests"] },
        pkce: { required: () => true },
        findAccount: (_: unknown, accountId: string) => {
          const account = accounts[accountId];
          return (
            account && {
              accountId,
              claims: () => ({ sub: accountId, email_verified: true, ...account }),
            }
          );
        },
      });
      listener = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
