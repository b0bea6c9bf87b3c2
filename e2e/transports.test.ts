import { createHttpTransport, createWebSocketTransport } from "@holdpoint/client";
import { createDirectTransport } from "@holdpoint/client/direct";
import { describeTransportContract } from "@holdpoint/client/testing";

import {
  openScriptedGateway,
  PERSON_TOKEN as token,
  serveScriptedGateway,
} from "./support/contract-gateway.ts";

describeTransportContract("direct", async () => {
  const { gateway, dispose } = await openScriptedGateway();
  return {
    connect: (clientId) =>
      createDirectTransport({ gateway, person: "Owner", client: "Host", clientId }),
    drain: () => gateway.close({ reason: "draining" }),
    [Symbol.asyncDispose]: dispose,
  };
});

for (const [name, createTransport] of [
  ["HTTP", createHttpTransport],
  ["WebSocket", createWebSocketTransport],
] as const) {
  describeTransportContract(name, async () => {
    const { url: baseUrl, ...served } = await serveScriptedGateway();
    return {
      ...served,
      connect: (clientId) => createTransport({ baseUrl, token, clientId }),
    };
  });
}
