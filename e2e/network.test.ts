import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { createCertificate } from "@holdpoint/server/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Api } from "./support/api.ts";
import { spawnGateway, startGateway, TOKEN } from "./support/gateway-process.ts";

const tls = createCertificate({ hosts: ["localhost"] });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-network-"));
  const expired = createCertificate({ to: new Date("2026-01-01T00:00:00Z") });
  const files = {
    "cert.pem": tls.cert,
    "key.pem": tls.key,
    "open.pem": tls.key,
    "other.pem": createCertificate().key,
    "expired.pem": expired.cert,
    "expired-key.pem": expired.key,
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content, { mode: 0o600 });
  }
  await chmod(join(folder, "open.pem"), 0o644);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function withTls(cert: string, key: string): string[] {
  return ["--tls-cert", join(folder, cert), "--tls-key", join(folder, key)];
}

/** A request to this machine with the name "localhost", to a server with a trusted certificate. */
function get(port: string, path: string, headers: Record<string, string>): Promise<number> {
  const options = {
    host: "localhost",
    port,
    path,
    headers,
    ca: tls.cert,
    servername: "localhost",
    agent: false,
  };
  return new Promise((resolve, reject) => {
    request(options, (answer) => resolve(answer.resume().statusCode!))
      .on("error", reject)
      .end();
  });
}

describe("the network", () => {
  const WIDE = ["--host", "0.0.0.0"];
  const PUBLIC = ["--public-url", "https://hold.example"];
  test.each<[string, () => string[], RegExp]>([
    ["a wide bind", () => WIDE, /--tls-cert/],
    ["a wide bind behind anybody", () => [...WIDE, ...PUBLIC], /--trust-proxy/],
    [
      "a wide bind behind http",
      () => [...WIDE, "--public-url", "http://hold.example", "--trust-proxy", "10.0.0.0/8"],
      /in the clear/,
    ],
    ["a public URL of http", () => ["--public-url", "http://hold.example"], /in the clear/],
    [
      "a proxy by its name",
      () => [...WIDE, ...PUBLIC, "--trust-proxy", "proxy.example"],
      /proxy\.example/,
    ],
    ["a key that anybody can read", () => withTls("cert.pem", "open.pem"), /chmod 600/],
    [
      "the key of another certificate",
      () => withTls("cert.pem", "other.pem"),
      /do not belong together/,
    ],
    ["an expired certificate", () => withTls("expired.pem", "expired-key.pem"), /expired on Jan/],
    ["a certificate that is not there", () => withTls("gone.pem", "key.pem"), /gone\.pem.*ENOENT/],
    ["a certificate without its key", () => ["--tls-cert", "cert.pem"], /--tls-key/],
  ])("cannot reach an unprotected gateway: %s is refused in one line", async (_, args, reason) => {
    const always = ["--json", "--port", "0", "--data-dir", `${folder}.data`];
    const child = spawnGateway([...always, ...args()], { cwd: folder });
    const limit = AbortSignal.timeout(20_000);
    limit.addEventListener("abort", () => child.kill("SIGKILL"));
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, "exit") as Promise<[number | null]>,
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: [^\n]*\n$/);
    expect(stderr).toMatch(reason);
  });

  test("gets page and API over TLS with a certificate, and nothing unencrypted", async () => {
    await using gateway = await startGateway({
      args: ["--host", "0.0.0.0", ...withTls("cert.pem", "key.pem")],
    });
    const { origin, port } = new URL(gateway.url);
    expect(origin).toBe(`https://localhost:${port}`);
    expect(gateway.launchUrl).toContain(`${origin}/#code=`);
    const authorization = `Bearer ${TOKEN}`;
    expect(await get(port, "/", {})).toBe(200);
    expect(await get(port, "/api/sessions", { authorization })).toBe(200);
    expect(await get(port, "/api/sessions", { authorization, host: `127.0.0.2:${port}` })).toBe(
      421,
    );
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("can set a client's address only through the trusted proxy", async () => {
    const args = [...WIDE, ...PUBLIC, "--trust-proxy", "127.0.0.0/8"];
    const env = { HOLDPOINT_LOG: "info" };
    await using gateway = await startGateway({ args, env });
    const api = new Api(gateway.url);
    expect((await api.call("GET", "/sessions")).status).toBe(200);
    const headers = { "x-forwarded-for": "6.6.6.6, 203.0.113.1" };
    await fetch(`${gateway.url}/healthz`, { headers });
    await gateway.stop("SIGTERM");
    expect(gateway.stderr()).toContain(`"address":"203.0.113.1"`);
    expect(gateway.stderr()).not.toContain("6.6.6.6");
  });
});
