import { createExternalAdapter } from "@holdpoint/agents";
import { createServer } from "@holdpoint/server";
import { ClientError, createHttpTransport, type Transport } from "holdpoint/client";
import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  openGateway,
} from "holdpoint/engine";
import type { Caller, Interaction, RespondBody } from "holdpoint/protocol";

const ada: Caller = { principal: "person", person: "Ada", client: "page" };

export interface ServedAsks extends AsyncDisposable {
  readonly url: string;
  /** The program's token. */
  readonly token: string;
  readonly transport: Transport;
  /** The interaction with this prompt, once it is there. */
  readonly asked: (prompt: string) => Promise<Interaction>;
  readonly answer: (prompt: string, body: RespondBody) => Promise<void>;
  readonly brokenConnection: () => Error;
  /** The number of interactions that were ever asked and not withdrawn. */
  readonly count: () => Promise<number>;
}

/** A gateway that serves a program with an agent's token, and a person who answers. */
export async function serveAsks(): Promise<ServedAsks> {
  const clock = createSystemClock();
  const gateway = await openGateway({
    store: createMemoryStore(),
    clock,
    ids: createSystemIds(),
    agents: new Map([["mcp", createExternalAdapter()]]),
    defaultCwd: "/work",
  });
  const server = createServer({ gateway, clock, version: "0.0.0" });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const { token } = await gateway.createAgentToken(ada, { label: "Programs" });
  const transport = createHttpTransport({ baseUrl: url, token, clientId: "program" });
  const list = async () =>
    (await gateway.listInteractions(ada, { status: ["pending"], limit: 100 })).items;
  const asked = async (prompt: string): Promise<Interaction> => {
    for (;;) {
      const found = (await list()).find((one) => one.prompt === prompt);
      if (found) return found;
      await clock.sleep(5, { signal: new AbortController().signal });
    }
  };
  return {
    url,
    token,
    transport,
    asked,
    async answer(prompt: string, body: RespondBody) {
      const { interactionId, approval } = await asked(prompt);
      const digest = body.action === "approve" ? { digest: approval?.digest } : {};
      await gateway.respond(ada, interactionId, { ...digest, ...body });
    },
    brokenConnection: () => new ClientError("CONNECTION_CLOSED", "It broke."),
    count: async () =>
      (
        await gateway.listInteractions(ada, {
          status: ["pending", "answered", "delivered"],
          limit: 100,
        })
      ).items.length,
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await gateway.close();
    },
  };
}
