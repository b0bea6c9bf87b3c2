import { mkdir } from "node:fs/promises";

import { createClaudeAdapter, openAgentHosts } from "@holdpoint/agents";
import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  openGateway,
} from "@holdpoint/engine";
import { createServer, type GatewayServer } from "@holdpoint/server";

import { openLine } from "../browser/support/line.ts";
import { Api } from "./api.ts";
import { TOKEN } from "./gateway-process.ts";

/**
 * A gateway in this process with the real Claude in this folder, which reaches its tools over a line that can be cut.
 */
export async function openGatewayBehindLine(
  folder: string,
  environment: Readonly<Record<string, string>>,
) {
  await using opening = new AsyncDisposableStack();
  await mkdir(`${folder}.data`, { recursive: true });
  const line = opening.use(await openLine());
  const seams = { clock: createSystemClock(), ids: createSystemIds() };
  const listening = Promise.withResolvers<GatewayServer>();
  const agent = createClaudeAdapter({
    ...seams,
    env: { PATH: process.env["PATH"], ...environment },
    hosts: openAgentHosts({ dataDir: `${folder}.data`, tokenFor: (id) => `token of ${id}` }),
    openTools: async (sessionId) => {
      const access = (await listening.promise).openToolAccess(sessionId);
      return { ...access, url: `${line.url}/mcp` };
    },
  });
  const gateway = opening.use(
    await openGateway({
      ...seams,
      store: opening.use(createMemoryStore()),
      agents: new Map([["claude", opening.use(agent)]]),
      defaultCwd: folder,
    }),
  );
  const options = { ...seams, gateway, version: "0.0.0", personToken: TOKEN, publicUrl: line.url };
  const server = opening.use(createServer(options));
  const { url, port } = await server.listen({ host: "127.0.0.1", port: 0 });
  line.connectTo(port);
  listening.resolve(server);
  const open = opening.move();
  return { api: new Api(url), line, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
