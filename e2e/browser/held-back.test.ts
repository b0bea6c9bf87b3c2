import { expect } from "vitest";

import { openPathProxy, PATH } from "./support/path-proxy.ts";
import { test } from "./support/test.ts";

test("a page whose proxy refuses WebSockets and withholds event streams shows “No live updates”", async ({
  startGateway,
  openDevice,
  owned,
}) => {
  for (const passesOfStreams of ["head", "nothing"] as const) {
    const options = { strips: true, refusesSockets: true, passesOfStreams };
    const proxy = owned.use(await openPathProxy(options));
    const gateway = await startGateway({ env: { HOLDPOINT_PUBLIC_URL: proxy.url } });
    proxy.connectTo(Number(new URL(gateway.url).port));
    const device = await openDevice({ url: proxy.root, nextLink: () => gateway.nextLink() });
    device.allowProblem(/WebSocket connection/u);
    await device.open(`${PATH}/`);
    await device.page.getByText("No live updates.").waitFor({ timeout: 30_000 });
    expect(await device.page.getByText("Offline.").count()).toBe(0);
  }
});

test("a launch link pasted into an open tab signs it in, on any page", async ({
  gateway,
  openDevice,
}) => {
  for (const path of ["/", "/pair"]) {
    const { page } = await openDevice(gateway, { signedIn: false });
    await page.goto(path);
    await page.locator("main").waitFor();
    const { hash } = new URL(await gateway.nextLink());
    await page.evaluate((hash) => void (location.hash = hash), hash);
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => key.endsWith(".device")),
    );
    await expect.poll(() => new URL(page.url()).hash).toBe("");
  }
});
