import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, expect, test } from "vitest";

import { resolveSettings } from "../config/settings.ts";
import { checkPeople } from "./check-people.ts";
import type { Scene } from "./read-scene.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An issuer on loopback that answers every request with this. */
async function openIssuer(answer: (url: string) => { status: number; body: string }) {
  const server = createServer((_request, response) => {
    const { status, body } = answer(url);
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

async function look(issuer: string, publicUrl?: string) {
  const file = {
    ...(publicUrl !== undefined && { publicUrl }),
    people: { issuers: [{ issuer, clientId: "holdpoint" }] },
  };
  const sources = { flags: {}, env: {}, file, startDirectory: "/", defaultDataDir: "/data" };
  const settings = resolveSettings(sources);
  const [finding, ...others] = await checkPeople({ settings, gateway: { is: "none" } } as Scene);
  expect(others).toEqual([]);
  return finding;
}

test("shows the redirect URI of an issuer, with its port after a hyphen", async () => {
  const issuer = await openIssuer((url) => ({ status: 200, body: `{"issuer":"${url}"}` }));
  const redirectUri = `http://127.0.0.1:4870/signed-in/${new URL(issuer).host.replace(":", "-")}`;
  expect(await look(issuer)).toMatchObject({ status: "ok", facts: { issuer, redirectUri } });
});

test("shows the redirect URI below the path of the public URL", async () => {
  const issuer = await openIssuer((url) => ({ status: 200, body: `{"issuer":"${url}"}` }));
  const finding = await look(issuer, "https://agents.example.org/holdpoint");
  expect(finding?.text).toContain(
    ` https://agents.example.org/holdpoint/signed-in/${new URL(issuer).host.replace(":", "-")}`,
  );
});

test.each([
  ["an error", 500, "{}", "answers with 500"],
  ["another name", 200, `{"issuer":"https://other.example"}`, "reports another issuer than"],
  ["no JSON", 200, "<html>", "cannot be reached"],
])("reports an issuer that answers with %s", async (_, status, body, text) => {
  const issuer = await openIssuer(() => ({ status, body }));
  const finding = await look(issuer);
  expect(finding).toMatchObject({ status: "problem", text: expect.stringContaining(text) });
  expect(finding?.remedy).toContain("/signed-in/");
});

test("reports an issuer that does not answer", async () => {
  const issuer = await openIssuer(() => ({ status: 200, body: "" }));
  servers[0]?.close();
  servers[0]?.closeAllConnections();
  expect((await look(issuer))?.text).toMatch(/cannot be reached \(ECONNREFUSED\)/u);
});
