import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";

import type { AgentToken } from "@holdpoint/protocol";

import {
  type ControlRequest,
  controlRequestSchema,
  type LinkShown,
  readMessage,
} from "./control-message.ts";
import { controlPath } from "./control-path.ts";

const MAX_CONNECTIONS = 8;

export interface ControlOptions {
  /** Of a gateway that is the only one to write there. */
  readonly dataDir: string;
  readonly issueAgentToken: (label: string) => Promise<AgentToken>;
  /** Shows a new launch link where the gateway runs, and to nobody else. Throws where that cannot be done. */
  readonly showLink: () => void;
}

/** Does what the command line asks of a gateway that runs, until it is disposed. */
export async function openControl(options: ControlOptions): Promise<AsyncDisposable> {
  const path = controlPath(options.dataDir);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy()); // The other side has gone: there is nobody to tell.
    void answer(socket, options);
  });
  server.maxConnections = MAX_CONNECTIONS;
  // One that a gateway left that was killed.
  await rm(path, { force: true });
  server.listen(path);
  await once(server, "listening");
  if (process.platform !== "win32") await chmod(path, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(socket: Socket, options: ControlOptions): Promise<void> {
  const said = await readRequest(socket)
    .then((request) => obey(request, options))
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : "" }));
  socket.end(JSON.stringify(said));
}

async function obey(
  request: ControlRequest,
  { issueAgentToken, showLink }: ControlOptions,
): Promise<AgentToken | LinkShown> {
  switch (request.command) {
    case "agent-token":
      return issueAgentToken(request.label);
    case "link":
      showLink();
      return { shown: true };
  }
}

async function readRequest(socket: Socket): Promise<ControlRequest> {
  const result = controlRequestSchema.safeParse(await readMessage(socket));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TypeError(`${issue?.path.join(".")}: ${issue?.message}`);
}
