import type { Transport } from "holdpoint/client";
import { createDirectTransport } from "holdpoint/client/direct";
import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  openGateway,
} from "holdpoint/engine";

import { createEditorAgent } from "./editor-agent.ts";
import type { Letter } from "./letter.ts";

/** A gateway inside this page, and a transport for its only person. Both end with the page. */
export async function openOwnGateway(letter: Letter): Promise<Transport> {
  const gateway = await openGateway({
    store: createMemoryStore(),
    clock: createSystemClock(),
    ids: createSystemIds(),
    agents: new Map([["editor", createEditorAgent(letter)]]),
    defaultCwd: "/",
  });
  return createDirectTransport({ gateway, person: "You", client: "Quill", clientId: "quill" });
}
