import { request as httpRequest } from "node:http";

import { SimulatedClock } from "@holdpoint/engine/testing";

import { createRoutes } from "../app.ts";
import { hashSecret } from "../auth/secrets.ts";
import { createContext } from "../create-context.ts";
import type { Route } from "../http/route.ts";
import type { ServedGateway } from "../server-context.ts";
import type { ServerOptions } from "../server-options.ts";
import { createServer, type GatewayServer } from "../server.ts";
import { createFakeGateway, type FakeGateway } from "./fake-gateway.ts";

export const PERSON_TOKEN = "p".repeat(43);
export const AGENT_TOKEN = "a".repeat(43);

export interface Served<TGateway> extends AsyncDisposable {
  readonly server: GatewayServer;
  readonly gateway: TGateway;
  readonly clock: SimulatedClock;
  readonly credentials: ServedGateway["credentials"];
  readonly url: string;
  readonly port: number;
  /** A request by the person, with JSON if there is a body; `init.headers` take precedence. */
  call(path: string, init?: CallInit): Promise<Response>;
}

export interface CallInit {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** `null` sends none. */
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

/** Every route of a server, as data. */
export function listRoutes(): Route[] {
  const gateway = createFakeGateway();
  return createRoutes(createContext({ gateway, clock: new SimulatedClock(), version: "1.2.3" }));
}

/** A token that the route accepts, if it accepts any without a proof. */
export function tokenFor({ access }: Pick<Route, "access">): string {
  return access === "agent" ? AGENT_TOKEN : PERSON_TOKEN;
}

/**
 * A server on loopback for a gateway (default: a fake one) with a token for a person's program and one for an agent.
 */
export async function serve<TGateway extends ServedGateway = FakeGateway>(
  options: Partial<ServerOptions> & { gateway?: TGateway } = {},
): Promise<Served<TGateway>> {
  const gateway = options.gateway ?? (createFakeGateway() as ServedGateway as TGateway);
  const clock = (options.clock as SimulatedClock | undefined) ?? new SimulatedClock();
  const { credentials } = gateway;
  await addToken(credentials, PERSON_TOKEN, "program");
  await addToken(credentials, AGENT_TOKEN, "agent");
  const server = createServer({ version: "1.2.3", ...options, gateway, clock });
  const { url, port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    server,
    gateway,
    clock,
    credentials,
    url,
    port,
    call: (path, { method = "GET", body, headers, token = PERSON_TOKEN, signal } = {}) =>
      fetch(url + path, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

async function addToken(
  credentials: ServedGateway["credentials"],
  token: string,
  kind: "agent" | "program",
): Promise<void> {
  await credentials.add({
    tokenId: kind === "agent" ? "tok_agent" : "tok_person",
    tokenHash: hashSecret(token),
    kind,
    person: "Ada",
    label: kind === "agent" ? "agent's device" : "person's program",
    ...(kind === "program" && { scope: "respond" }),
    createdAtMs: Date.UTC(2026, 0, 1),
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** A request with headers that `fetch` would not send, such as a foreign `Host`. */
export function rawRequest(
  port: number,
  {
    path = "/",
    method = "GET",
    headers = {},
    body = "",
  }: { path?: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method, headers, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("end", () =>
          resolve({ status: response.statusCode!, headers: response.headers, text }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
