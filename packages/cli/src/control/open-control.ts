import { createServer, type Socket } from "node:net";

import { type AgentToken, ProtocolError } from "@holdpoint/protocol";

import {
  type ControlRefusal,
  type ControlRequest,
  controlRequestSchema,
  type GatewayStatus,
  type GatewayUrl,
  type PrunedSessions,
  type PruneRequest,
  readMessage,
  type Shown,
} from "./control-message.ts";
import { controlPath } from "./control-path.ts";
import { listenAt } from "./socket-place.ts";

const MAX_CONNECTIONS = 8;

export interface ControlOptions {
  /** The data folder; this gateway is its only writer. */
  readonly dataDir: string;
  readonly issueAgentToken: (label: string) => Promise<AgentToken>;
  /** Shows a new launch link in the gateway's own terminal. Throws `UsageError` if there is no terminal. */
  readonly showLink: () => void;
  /** Shows a new pairing code in the gateway's own terminal. Throws `UsageError` if there is no terminal. */
  readonly showPairing: () => void;
  readonly readStatus: () => Promise<GatewayStatus>;
  readonly url: string;
  /** Throws `UsageError` for a request that is not allowed. */
  readonly prune: (request: PruneRequest) => Promise<PrunedSessions>;
}

/** Serves requests of the command line to the running gateway, until disposed. */
export async function openControl(options: ControlOptions): Promise<AsyncDisposable> {
  const path = controlPath(options.dataDir);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy()); // the command has ended and needs no reply
    void answer(socket, options);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const socket = await listenAt(server, path);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await socket[Symbol.asyncDispose]();
    },
  };
}

async function answer(socket: Socket, options: ControlOptions): Promise<void> {
  const said = await readRequest(socket)
    .then((request) => obey(request, options))
    .catch(toRefusal);
  socket.end(JSON.stringify(said));
}

function toRefusal(error: unknown): ControlRefusal {
  if (ProtocolError.isInstance(error)) return { error: error.message, code: error.code };
  return { error: error instanceof Error ? error.message : "" };
}

async function obey(
  request: ControlRequest,
  { issueAgentToken, showLink, showPairing, readStatus, url, prune }: ControlOptions,
): Promise<AgentToken | Shown | GatewayStatus | GatewayUrl | PrunedSessions> {
  switch (request.command) {
    case "agent-token":
      return issueAgentToken(request.label);
    case "link":
      showLink();
      return { shown: true };
    case "pair":
      showPairing();
      return { shown: true };
    case "prune":
      return prune(request);
    case "status":
      return readStatus();
    case "url":
      return { url };
  }
}

async function readRequest(socket: Socket): Promise<ControlRequest> {
  const result = controlRequestSchema.safeParse(await readMessage(socket));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TypeError(`${issue?.path.join(".")}: ${issue?.message}`);
}
