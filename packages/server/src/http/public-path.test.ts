import { IncomingMessage } from "node:http";
import { Socket } from "node:net";

import { describe, expect, test } from "vitest";

import { rawRequest, serve } from "../testing/serve.ts";
import { signIn } from "../testing/test-device.ts";
import { withWebRoot } from "../testing/web-root.ts";
import { takePathOff } from "./public-path.ts";

const PUBLIC_URL = "https://example.org/holdpoint/";

test.each([
  ["/holdpoint", "/"],
  ["/holdpoint?a=/b", "/?a=/b"],
  ["/holdpoint/", "/"],
  ["/holdpoint/api/ws?x", "/api/ws?x"],
  ["/holdpoint//api", "//api"],
  ["/holdpoint/holdpoint/api", "/holdpoint/api"],
  ["/api", "/api"],
  ["/holdpoints/api", "/holdpoints/api"],
  ["/Holdpoint/api", "/Holdpoint/api"],
  ["/hold%70oint/api", "/hold%70oint/api"],
  ["http://example.org/holdpoint/api", "http://example.org/holdpoint/api"],
])("%s is %s after the path is removed once", (url, rest) => {
  const incoming = new IncomingMessage(new Socket());
  incoming.url = url;
  for (const _ of [1, 2]) takePathOff(incoming, "/holdpoint");
  expect(incoming.url).toBe(rest);
});

describe("a gateway whose public URL has a path", () => {
  test("answers under it and at the root, with a page that finds its files through either", async () => {
    await using web = await withWebRoot({
      "index.html": '<html data-place="./"><script src="./assets/app.js"></script>',
      "index.html.gz": "packed for nowhere",
      "service-worker.js": 'const PLACE = "./";',
      "assets/app.js": 'import "./other.js"',
    });
    await using served = await serve({ publicUrl: PUBLIC_URL, webRoot: web.root });
    const own = `127.0.0.1:${served.port}`;
    const ask = (path: string, host: string, headers = {}) =>
      rawRequest(served.port, { path, headers: { host, accept: "text/html", ...headers } });
    const page = (place: string) =>
      `<html data-place="${place}"><script src="${place}assets/app.js"></script>`;
    for (const [path, host, place] of [
      ["/", own, "/"],
      ["/s/ses_1", own, "/"],
      ["/", "example.org", "/holdpoint/"],
      ["/s/ses_1", "EXAMPLE.org:443", "/holdpoint/"],
      ["/holdpoint/", "example.org", "/holdpoint/"],
      // Behind a proxy that passes the path on, and not the host.
      ["/holdpoint/s/ses_1", own, "/holdpoint/"],
    ] as const) {
      const { status, text } = await ask(path, host, { "accept-encoding": "gzip" });
      expect([path, host, status, text]).toEqual([path, host, 200, page(place)]);
    }
    expect((await ask("/holdpoint/assets/app.js", own)).text).toBe('import "./other.js"');
    const worker = { "service-worker": "script" };
    expect((await ask("/evil.js", "example.org", worker)).text).toBe(
      'const PLACE = "/holdpoint/";',
    );
    const bare = await ask("/holdpoint?a=b", "example.org");
    expect([bare.status, bare.headers["location"]]).toEqual([308, "/holdpoint/?a=b"]);
    expect((await ask("/holdpoint/healthz", "monitor.example")).status).toBe(200);
    expect((await ask("/holdpoint/", "other.example")).status).toBe(421);
    for (const path of ["/holdpoint", "/holdpoint/api/missing", "/holdpoint/mcp"]) {
      expect((await ask(path, own, { origin: "https://evil.example" })).status).toBe(403);
    }
  });

  test("uses it in links and for agents, and accepts proofs only of its own pages", async () => {
    await using served = await serve({ publicUrl: PUBLIC_URL });
    expect(served.server.createLaunchUrl()).toMatch(/^https:\/\/example\.org\/holdpoint\/#code=/u);
    const { url } = await served.server.issueAgentToken("Planner");
    expect(url).toBe("https://example.org/holdpoint/mcp");
    const device = await signIn(served);
    const at = async (page: string) => {
      const claims = { htu: `${page}/api/sessions` };
      return (await device.call("/api/sessions", { claims })).status;
    };
    expect(await at(served.url)).toBe(200);
    expect(await at(`${served.url}/holdpoint`)).toBe(200);
    expect(await at("https://example.org/holdpoint")).toBe(200);
    expect(await at("https://example.org")).toBe(401);
    expect(await at("https://example.org/other")).toBe(401);
    expect(await at("https://example.org/holdpoint/holdpoint")).toBe(401);
  });
});
