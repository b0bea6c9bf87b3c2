import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import type { Ask, Interaction } from "@holdpoint/protocol";
import { expect, onTestFinished, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";
import { runAsk } from "./support/run-ask.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers only when it is allowed to. */
async function startReceiver() {
  const received: Received[] = [];
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      open.push(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = (): void => {
    for (const response of open.splice(0)) response.writeHead(204).end();
  };
  return { received, host, answer };
}

test("[R-4] a callback that is on its way when the gateway is killed is sent again with the same id and bytes", async () => {
  const { received, host, answer } = await startReceiver();
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-callbacks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "own.json");
  const asks = { callbacks: [{ host, secret: "a secret of sixteen or more" }] };
  await writeFile(config, JSON.stringify({ asks }));
  const args = ["--config", config];

  await using first = await startGateway({ args });
  const api = new Api(first.url);
  const { body: agent } = await api.call<{ token: string }>("POST", "/agent-tokens", {
    label: "CI",
  });
  const callback = { url: `http://${host}/done` };
  const asking = { kind: "approval", label: "deploy.sh", prompt: "Deploy?", callback };
  const program = (url: string) => new Api(url, { token: agent.token });
  const { status, body: ask } = await program(first.url).call<Ask>("POST", "/asks", asking);
  expect({ status, callback: ask.callback }).toEqual({
    status: 201,
    callback: { state: "waiting", tries: 0 },
  });
  const { body: shown } = await api.call<Interaction>("GET", `/interactions/${ask.interactionId}`);
  // The person sees where the callback goes.
  expect(shown.callbackHost).toBe(host);
  const yes = { action: "approve", digest: shown.approval?.digest } as const;
  expect((await api.respond(ask.interactionId, yes)).status).toBe(200);
  await until(async () => received.length === 1, "the callback");
  await first.stop("SIGKILL");

  await using second = await startGateway({ args, dataDir: first.dataDir });
  await until(async () => received.length === 2, "the callback, again");
  answer();
  const delivered = await until(async () => {
    const got = await program(second.url).call<Ask>("GET", `/asks/${ask.interactionId}`);
    return got.body.callback?.state === "delivered" ? got.body : undefined;
  }, "its delivery");
  expect(delivered).toMatchObject({ response: { action: "approve" }, callback: { tries: 2 } });
  const [one, two] = received;
  expect(two?.body).toBe(one?.body);
  expect(two?.headers["webhook-id"]).toBe(`${ask.interactionId}.settled`);
  expect(one?.headers["webhook-id"]).toBe(two?.headers["webhook-id"]);

  // A script can also name a callback.
  const where = ["--data-dir", first.dataDir, "--callback", callback.url];
  const script = runAsk(["--approve", "Again?", "--timeout", "1s", ...where]);
  await until(async () => received.length === 3, "the callback of the script");
  answer();
  expect(await script.ended).toMatchObject({ code: 3 });
  expect(JSON.parse(received[2]?.body ?? "")).toMatchObject({ data: { status: "expired" } });
});
