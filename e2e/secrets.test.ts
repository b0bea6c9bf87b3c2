import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { startGateway, TOKEN } from "./support/gateway-process.ts";

test("[R-19] neither logs nor files hold a token or a launch code, and logs hold no answers", async () => {
  await using gateway = await startGateway({ env: { HOLDPOINT_LOG: "trace" } });
  const code = new URLSearchParams(new URL(gateway.launchUrl).hash.slice(1)).get("code") ?? "";
  const exchanged = await fetch(`${gateway.url}/api/auth/exchange`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, label: "A phone" }),
  });
  const { token } = (await exchanged.json()) as { token: string };
  const api = new Api(gateway.url, { token });
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  await api.respond(interactionId, { action: "submit", reply: "planted-answer" });
  await api.call("POST", `/interactions/${interactionId}/response`, { action: "planted-fault" });
  await api.call("GET", "/sessions?cursor=planted-query");
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );

  const entries = await readdir(gateway.dataDir, { withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFile(join(gateway.dataDir, name), "latin1")),
  );
  const kept = files.join("\n");
  expect(kept).toContain("planted-answer");
  await gateway.stop("SIGTERM");
  const logs = gateway.stderr();
  expect(logs).toContain("/api/interactions/{interactionId}/response");
  for (const secret of [code, token, TOKEN]) {
    expect(logs).not.toContain(secret);
    expect(kept).not.toContain(secret);
  }
  for (const planted of ["planted-answer", "planted-fault", "planted-query", "Ask me two"]) {
    expect(logs).not.toContain(planted);
  }
});
