import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser } from "playwright-core";
import { test as base, expect } from "vitest";

import {
  type Device,
  type DeviceOptions,
  launchBrowser,
  openDevice,
  type Screen,
} from "../../support/browser.ts";
import {
  type GatewayProcess,
  startGateway,
  type StartOptions,
  TOKEN,
} from "../../support/gateway-process.ts";

export const EVERY_SCREEN: readonly Screen[] = ["desktop", "phone"];

interface Fixtures {
  /** One for the file. */
  browser: Browser;
  /** The real one with the demo agent, one for the file. */
  gateway: GatewayProcess;
  /** For what the test starts beside its devices; ended after they are closed. */
  owned: AsyncDisposableStack;
  /** Another gateway, for this test alone. */
  startGateway: (options?: StartOptions) => Promise<GatewayProcess>;
  /**
   * A new device in front of a gateway, signed in unless said otherwise, closed after the test. The test fails when a
   * page of it had an error.
   */
  openDevice: (gateway: { url: string }, options?: OpenOptions) => Promise<Device>;
}

type OpenOptions = Omit<DeviceOptions, "url" | "token"> & { readonly signedIn?: boolean };

export const test = base.extend<Fixtures & { $file: Pick<Fixtures, "browser" | "gateway"> }>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the pattern to know what a fixture needs
    async ({}, use) => {
      await using browser = await launchBrowser();
      await use(browser);
    },
    { scope: "file" },
  ],
  gateway: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the pattern to know what a fixture needs
    async ({}, use) => {
      await using gateway = await startGateway();
      await use(gateway);
    },
    { scope: "file" },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the pattern to know what a fixture needs
  owned: async ({}, use) => {
    await using owned = new AsyncDisposableStack();
    await use(owned);
  },
  startGateway: async ({ owned }, use) => {
    await use(async (options) => owned.use(await startGateway(options)));
  },
  // Set up after `owned`, so closed before it: a page never sees its gateway go.
  openDevice: async ({ browser, owned: _, task }, use) => {
    const devices: Device[] = [];
    await use(async ({ url }, { signedIn = true, ...options } = {}) => {
      const token = signedIn ? { token: TOKEN } : {};
      const device = await openDevice(browser, { url, ...token, ...options });
      devices.push(device);
      return device;
    });
    if (task.result?.state === "fail") await keepPictures(task.name, devices);
    for (const device of devices) await device[Symbol.asyncDispose]();
    expect(devices.flatMap((device) => device.problems)).toEqual([]);
  },
});

async function keepPictures(name: string, devices: readonly Device[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-failed-"));
  for (const [index, { page }] of devices.entries()) {
    await page.screenshot({ path: join(folder, `device-${index + 1}.png`) });
  }
  process.stdout.write(`What was on screen when "${name}" failed: ${folder}\n`);
}
