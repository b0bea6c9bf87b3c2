import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { rawRequest, serve } from "../testing/serve.ts";
import { withWebRoot } from "../testing/web-root.ts";
import { loadStaticFiles } from "./static-files.ts";

test.each([
  ["/", "text/html; charset=utf-8", "no-cache"],
  ["/index.html", "text/html; charset=utf-8", "no-cache"],
  ["/theme.js", "text/javascript; charset=utf-8", "no-cache"],
  ["/favicon.svg", "image/svg+xml", "no-cache"],
  ["/assets/app-12345678.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
  [
    "/assets/app-12345678.js",
    "text/javascript; charset=utf-8",
    "public, max-age=31536000, immutable",
  ],
])("%s is %s, %s", async (path, type, cacheControl) => {
  await using web = await withWebRoot();
  await using served = await serve({ webRoot: web.root });
  const answer = await served.call(path, { token: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("cache-control")).toBe(cacheControl);
  const head = await served.call(path, { token: null, method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe(type);
  expect(await head.text()).toBe("");
});

test("a file that a client has is not sent again", async () => {
  await using web = await withWebRoot();
  await using served = await serve({ webRoot: web.root });
  const etag = (await served.call("/")).headers.get("etag")!;
  const again = await served.call("/", { headers: { "if-none-match": `W/${etag}` } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
  const other = await served.call("/", { headers: { "if-none-match": '"other"' } });
  expect(other.status).toBe(200);
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.0", undefined],
  ["identity", undefined],
])("a client that accepts %s gets %s", async (accepted, encoding) => {
  await using web = await withWebRoot();
  await using served = await serve({ webRoot: web.root });
  const path = "/assets/app-12345678.js";
  const host = `127.0.0.1:${served.port}`;
  const { headers } = await rawRequest(served.port, {
    path,
    headers: { host, "accept-encoding": accepted },
  });
  expect(headers["content-encoding"]).toBe(encoding);
  expect(headers["vary"]).toBe("Accept-Encoding");
  const decoded = await served.call(path, { headers: { "accept-encoding": accepted } });
  expect((await decoded.text()).slice(0, 19)).toBe('console.log("app");');
});

test("a file compressed by the build is sent unchanged, and has no path", async () => {
  const files = { "index.html": "<!doctype html>", "assets/a.js": "plain", "other.js.gz": "alone" };
  await using web = await withWebRoot({
    ...files,
    "assets/a.js.br": "packed with brotli",
    "assets/a.js.gz": "packed with gzip",
  });
  await using served = await serve({ webRoot: web.root });
  const host = `127.0.0.1:${served.port}`;
  const ask = async (accepted: string) => {
    const headers = { host, "accept-encoding": accepted };
    return (await rawRequest(served.port, { path: "/assets/a.js", headers })).text;
  };
  expect(await ask("br, gzip")).toBe("packed with brotli");
  expect(await ask("gzip")).toBe("packed with gzip");
  expect(await ask("identity")).toBe("plain");
  for (const [path, status] of [
    ["/assets/a.js.br", 404],
    ["/assets/a.js.gz", 404],
    ["/other.js.gz", 200],
  ] as const) {
    expect([path, (await rawRequest(served.port, { path, headers: { host } })).status]).toEqual([
      path,
      status,
    ]);
  }
});

describe("navigation", () => {
  test.each([
    ["/sessions/ses_1", { "sec-fetch-mode": "navigate" }, 200],
    ["/signed-in/login.example.org?code=c&state=s", { "sec-fetch-mode": "navigate" }, 200],
    ["/sessions/ses_1", { accept: "text/html,*/*" }, 200],
    ["/sessions/ses_1", { accept: "application/json" }, 404],
    ["/sessions/ses_1", { "sec-fetch-mode": "cors", accept: "text/html" }, 404],
    ["/missing.js", { "sec-fetch-mode": "navigate" }, 404],
    ["/api/missing", { "sec-fetch-mode": "navigate", accept: "text/html" }, 404],
    ["/api", { "sec-fetch-mode": "navigate", accept: "text/html" }, 404],
  ])("%s with %o is %i", async (path, headers: Record<string, string>, status) => {
    await using web = await withWebRoot();
    await using served = await serve({ webRoot: web.root });
    const host = `127.0.0.1:${served.port}`;
    const answer = await rawRequest(served.port, { path, headers: { ...headers, host } });
    expect(answer.status).toBe(status);
  });

  test("only GET and HEAD reach files", async () => {
    await using web = await withWebRoot();
    await using served = await serve({ webRoot: web.root });
    for (const path of ["/", "/theme.js"]) {
      const answer = await served.call(path, { method: "POST", body: {} });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
    expect((await served.call("/sessions/ses_1", { method: "POST", body: {} })).status).toBe(404);
  });

  test("without a web interface there is no page", async () => {
    await using served = await serve();
    const answer = await served.call("/", { headers: { accept: "text/html" } });
    expect(answer.status).toBe(404);
  });
});

test.each([
  "/../secret.txt",
  "/assets/../../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/..%5csecret.txt",
  "/assets/%00/../../secret.txt",
  "//secret.txt",
  "/link.txt",
  "/constructor",
  "/__proto__",
])("%s leads nowhere", async (path) => {
  await using web = await withWebRoot();
  await symlink(join(web.root, "..", "secret.txt"), join(web.root, "link.txt"));
  await using served = await serve({ webRoot: web.root });
  const host = `127.0.0.1:${served.port}`;
  const answer = await rawRequest(served.port, { path, headers: { host } });
  expect(answer.status).toBe(404);
  expect(answer.text).not.toContain("outside");
});

test("a folder without a page, or a missing one, is an error that names it", async () => {
  await using web = await withWebRoot({ "other.html": "" });
  await expect(loadStaticFiles(web.root)).rejects.toThrow(`${web.root} has no index.html`);
  const missing = join(web.root, "missing");
  await expect(loadStaticFiles(missing)).rejects.toMatchObject({
    code: "BAD_CONFIG",
    message: `The web interface is not in ${missing}.`,
  });
});

test("files in memory stay, whatever happens to the folder", async () => {
  await using web = await withWebRoot();
  await using served = await serve({ webRoot: web.root });
  await writeFile(join(web.root, "theme.js"), "changed");
  expect(await (await served.call("/theme.js")).text()).not.toBe("changed");
});

test("a request for a service worker gets the page's own, whatever script was installed", async () => {
  const script = "self.addEventListener('push', () => undefined);";
  await using web = await withWebRoot({
    "index.html": "<!doctype html>",
    "service-worker.js": script,
    "theme.js": "theme",
  });
  await using served = await serve({ webRoot: web.root });
  const host = `127.0.0.1:${served.port}`;
  const headers = { host, "service-worker": "script", "sec-fetch-dest": "serviceworker" };
  for (const path of [
    "/service-worker.js",
    "/evil.js",
    "/theme.js",
    "/api/evil.js",
    "/api/sessions",
  ]) {
    const { status, text } = await rawRequest(served.port, { path, headers });
    expect([path, status, text]).toEqual([path, 200, script]);
  }
  const other = await rawRequest(served.port, { path: "/evil.js", headers: { host } });
  expect(other.status).toBe(404);
});
