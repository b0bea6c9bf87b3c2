import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { callTool, inOrder, openScriptedModel, say } from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Api, endOfTurn, until } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";
import { runAsk } from "./support/run-ask.ts";

const CONFIG = `export default { tools: [{ name: "ping", description: "x", parameters: { type: "object", properties: {} }, handler: async () => ({ pong: true }) }] };`;

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-proxy-")));
  for (const name of ["claude", "work"]) await mkdir(join(folder, name));
  await writeFile(join(folder, "holdpoint.config.mjs"), CONFIG);
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** A company's proxy, which forwards nothing and records its requests. */
async function openProxy() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 no\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
    [name, url],
    [name.toLowerCase(), url],
  ]);
  const env = Object.fromEntries([...names, ["NO_PROXY", ""], ["no_proxy", ""]]) as Record<
    string,
    string
  >;
  return { asked, env, [Symbol.dispose]: () => void server.close() };
}

test.for(["the environment", "Claude's own settings"])(
  "a proxy in %s gets no traffic to the gateway, and the agent has its tools",
  async (place) => {
    using proxy = await openProxy();
    const isOwn = place === "Claude's own settings";
    if (isOwn) {
      const env = { ...proxy.env, NO_PROXY: "a.invalid", no_proxy: "a.invalid" };
      await writeFile(join(folder, "claude/settings.json"), JSON.stringify({ env }));
    }
    await using model = await openScriptedModel(
      inOrder([[callTool("mcp__holdpoint__ping", {})], [say("Done.")]]),
    );
    await using gateway = await startGateway({
      dataDir: join(folder, "data"),
      cwd: join(folder, "work"),
      args: ["--config", join(folder, "holdpoint.config.mjs")],
      env: { ...model.env(join(folder, "claude")), ...(!isOwn && proxy.env) },
    });
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Go");
    await endOfTurn(api, sessionId);
    const results = model.requests.flatMap(({ results: each }) => each);
    expect(results[0]?.text).toContain("pong");
    expect(proxy.asked.filter((each) => each.includes("127.0.0.1"))).toEqual([]);
    expect(model.failures).toEqual([]);
  },
);

test("holdpoint ask reaches its gateway despite a proxy in the environment", async () => {
  using proxy = await openProxy();
  await using gateway = await startGateway({
    dataDir: join(folder, "data"),
    cwd: join(folder, "work"),
  });
  const env = { ...proxy.env, NODE_USE_ENV_PROXY: "1" };
  const asking = runAsk(["--approve", "Deploy?", "--data-dir", gateway.dataDir], env);
  const api = new Api(gateway.url);
  const { interactionId, approval } = await until(async () => {
    const { body } = await api.call<{ items: Interaction[] }>("GET", "/interactions?limit=100");
    return body.items[0];
  }, "the ask");
  await api.respond(interactionId, { action: "approve", digest: approval!.digest });
  expect(await asking.ended).toMatchObject({ code: 0, stdout: "yes\n" });
  expect(proxy.asked).toEqual([]);
});
