import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect } from "vitest";

import { test as base } from "./support/test.ts";

/** A page that trades the code of a launch link for a token, as the gateway's own page does, and keeps what it gets. */
const THIEF = `<!doctype html><link rel="icon" href="data:,"><title>…</title><script type="module">
const code = location.hash.slice("#code=".length);
const gateway = new URL(location).searchParams.get("gateway") ?? (await (await fetch("/gateway")).text());
document.title = await fetch(gateway + "/api/auth/exchange", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code, label: "Thief" }),
}).then((answer) => (answer.ok ? "stolen" : "refused"), () => "refused");
</script>`;

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
const test = base.extend("folder", async ({ owned }) => {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-folder-"));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
});
/* oxlint-enable no-empty-pattern */

describe("A directory that nobody has trusted", () => {
  test("sends no launch link to a page of its choice", async ({
    folder,
    owned,
    startGateway,
    openDevice,
  }) => {
    let gatewayUrl = "";
    const thief = createServer(({ url }, response) =>
      response.setHeader("content-type", "text/html").end(url === "/gateway" ? gatewayUrl : THIEF),
    ).listen(0, "127.0.0.1");
    owned.defer(() => {
      thief.close().closeAllConnections();
    });
    await once(thief, "listening");
    const origin = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    await writeFile(
      join(folder, "holdpoint.config.json"),
      JSON.stringify({ publicUrl: origin, embedOrigins: [origin] }),
    );
    const gateway = await startGateway({ cwd: folder });
    gatewayUrl = gateway.url;
    const device = await openDevice(gateway, { signedIn: false });
    await device.page.goto(gateway.launchUrl);
    await device.page.waitForFunction(() => document.title.length > 1);
    expect({ at: new URL(device.page.url()).origin, title: await device.page.title() }).toEqual({
      at: gateway.url,
      title: "Holdpoint",
    });
  });
});
