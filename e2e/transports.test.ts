import {
  type BrowserTransportOptions,
  createBrowserTransport,
  createHttpTransport,
  createWebSocketTransport,
} from "@holdpoint/client";
import { createDirectTransport } from "@holdpoint/client/direct";
import { describeTransportContract } from "@holdpoint/client/testing";

import {
  addCredential,
  openScriptedGateway,
  PERSON,
  PERSON_TOKEN as token,
  serveScriptedGateway,
} from "./support/contract-gateway.ts";

describeTransportContract("direct", async () => {
  const { gateway, dispose } = await openScriptedGateway();
  return {
    connect: (clientId) =>
      createDirectTransport({ gateway, person: PERSON, client: "Host", clientId }),
    addCredential: (credential) => addCredential(gateway, credential),
    drain: () => gateway.close(),
    [Symbol.asyncDispose]: dispose,
  };
});

/** A WebSocket that never connects. */
class NoWebSocket extends WebSocket {
  constructor() {
    super("ws://127.0.0.1:9/");
  }
}
const createTransportWithoutSockets = (options: BrowserTransportOptions) =>
  createBrowserTransport({ ...options, WebSocket: NoWebSocket });

for (const [name, createTransport] of [
  ["HTTP", createHttpTransport],
  ["WebSocket", createWebSocketTransport],
  ["a browser", createBrowserTransport],
  ["a browser without WebSockets", createTransportWithoutSockets],
] as const) {
  describeTransportContract(name, async () => {
    const { url: baseUrl, ...served } = await serveScriptedGateway();
    return {
      ...served,
      connect: (clientId) => createTransport({ baseUrl, token, clientId }),
    };
  });
}
