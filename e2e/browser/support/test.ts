import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { test as base, expect } from "vitest";

import { rows } from "../../support/breadth.ts";
import {
  type Device,
  type DeviceOptions,
  launchBrowser,
  openDevice,
  type Screen,
} from "../../support/browser.ts";
import { startGateway, type StartOptions } from "../../support/gateway-process.ts";

export const EVERY_SCREEN: readonly Screen[] = ["desktop", "phone"];

/** For behaviour that does not depend on the screen: `npm test` tries this screen, a campaign every one. */
export function mainlyOn(screen: Screen): readonly Screen[] {
  return rows(
    [screen],
    EVERY_SCREEN.filter((other) => other !== screen),
  );
}

/** The address where a device is opened; a signed-in device needs a launch link from there. */
export interface DevicePlace {
  readonly url: string;
  nextLink?(): Promise<string>;
}

export type OpenDevice = (place: DevicePlace, options?: OpenOptions) => Promise<Device>;

export type OpenOptions = Omit<DeviceOptions, "url" | "nextLink"> & {
  readonly signedIn?: boolean;
};

/** The number of characters of a screen's text to keep when a test fails. */
const WORDS_KEPT = 800;

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
export const test = base
  /** One browser for all files of a worker: devices share no state. */
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  /** The real gateway with the demo agent, for all tests of the file. */
  .extend("gateway", { scope: "file" }, async ({}, { onCleanup }) => {
    const gateway = await startGateway({ hasTerminal: true });
    onCleanup(() => gateway[Symbol.asyncDispose]());
    return gateway;
  })
  /** Further things that a test starts. They end after its devices are closed, so that no page loses its gateway. */
  .extend("owned", async ({}, { onCleanup }) => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return owned;
  })
  /** Another gateway, for this test alone. */
  .extend(
    "startGateway",
    async ({ owned }) =>
      async (options?: StartOptions) =>
        owned.use(await startGateway({ hasTerminal: true, ...options })),
  )
  /**
   * A new device for a gateway, signed in by default when it is opened, and closed after the test. The test fails
   * when one of its pages had an error.
   */
  .extend("openDevice", async ({ browser, owned: _before, task }, { onCleanup }) => {
    const devices: Device[] = [];
    onCleanup(async () => {
      const screens = task.result?.state === "fail" ? await keepScreens(task.name, devices) : [];
      for (const device of devices) await device[Symbol.asyncDispose]();
      expect(devices.flatMap((device) => device.problems)).toEqual([]);
      // Keeps the texts even when no one can look at the pictures.
      if (screens.length > 0) throw new Error(screens.join("\n"));
    });
    return async (
      place: DevicePlace,
      { signedIn = true, ...options }: OpenOptions = {},
    ): Promise<Device> => {
      const nextLink = signedIn ? () => place.nextLink!() : undefined;
      const device = await openDevice(browser, { url: place.url, nextLink, ...options });
      devices.push(device);
      return device;
    };
  });

/** A full Chromium, for features that its headless shell lacks. */
export const testInWholeBrowser = test.extend(
  "browser",
  { scope: "worker" },
  async ({}, { onCleanup }) => {
    const browser = await launchBrowser({ isWhole: true });
    onCleanup(() => browser.close());
    return browser;
  },
);
/* oxlint-enable no-empty-pattern */

/** Keeps a picture of each device. Resolves with the last words on each screen. */
async function keepScreens(name: string, devices: readonly Device[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-failed-"));
  const screens: string[] = [];
  for (const [index, { page }] of devices.entries()) {
    const device = `device-${index + 1}`;
    await page.screenshot({ path: join(folder, `${device}.png`) });
    const words = await page.locator("body").innerText();
    screens.push(`On ${device}: ${words.replaceAll(/\s+/gu, " ").slice(-WORDS_KEPT)}`);
  }
  process.stdout.write(`What was on screen when "${name}" failed: ${folder}\n`);
  return screens;
}
