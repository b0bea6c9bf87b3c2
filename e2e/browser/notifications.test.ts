import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { startGateway, type GatewayProcess } from "../support/gateway-process.ts";
import { openPushScene } from "../support/push-scene.ts";
import { timeHere } from "../support/time-here.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import { button } from "./support/conversation.ts";
import {
  bringMessages,
  givePushService,
  lookAway,
  pressNotification,
  shownOn,
  turnOnNotifications as turnOn,
} from "./support/push-device.ts";
import { testInWholeBrowser as test } from "./support/test.ts";

/** A gateway for one test, with a push service for this machine's browsers. */
async function open(owned: AsyncDisposableStack) {
  const scene = owned.use(await openPushScene());
  const gateway = owned.use(await startGateway({ ...scene.options, hasTerminal: true }));
  return { scene, gateway };
}

async function ask({ url }: GatewayProcess): Promise<{ api: Api; interactionId: string }> {
  const api = new Api(url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Edit a file with my approval");
  const { interactionId } = await pending(api, sessionId);
  return { api, interactionId };
}

describe("Notifications", () => {
  test("are turned on, tested with a reported result, and configured for this device only", async ({
    owned,
    openDevice,
  }) => {
    const { scene, gateway } = await open(owned);
    const device = await openDevice(gateway, { screen: "phone" });
    const { page } = device;
    await givePushService(device, scene, "phone");
    await turnOn(device);
    const bring = await bringMessages(device, scene, gateway, "phone");
    await device.press(button(page, "Send a test"));
    await page
      .getByRole("main")
      .getByText(/The push service has taken it/)
      .waitFor();
    await bring();
    await until(async () => (await shownOn(device)).length === 1, "the test");
    expect(await shownOn(device)).toMatchObject([{ title: "Notifications work", tag: "test" }]);
    await expectAccessible(page, "notifications");
    await expectReflow(page, "notifications");

    await page.getByRole("radio", { name: /Approvals only/ }).check();
    await page.getByRole("checkbox", { name: "Quiet hours" }).check();
    await page.getByLabel("from", { exact: true }).fill("21:30");
    await until(
      async () =>
        (await page
          .getByRole("region", { name: "Notifications" })
          .locator("[aria-busy=true]")
          .count()) === 0,
      "the gateway",
    );
    await page.reload();
    await button(page, "Send a test").waitFor();
    expect(await page.getByRole("radio", { name: /Approvals only/ }).isChecked()).toBe(true);
    expect(await page.getByLabel("from", { exact: true }).inputValue()).toBe("21:30");
    const isTold = page.waitForResponse(/\/notifications\/subscription$/u);
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await isTold;
    const inGerman = page.getByRole("switch", { name: "Dieses Gerät benachrichtigen" });
    await until(async () => (await inGerman.getAttribute("aria-busy")) === "false", "the language");
    await device.press(button(page, "Probe senden"));
    await page
      .getByRole("main")
      .getByText(/Der Push-Dienst hat sie/u)
      .waitFor();
    await bring();
    const isGerman = async () =>
      (await shownOn(device))[0]?.title === "Benachrichtigungen kommen an";
    await until(isGerman, "the test in German");
    await inGerman.uncheck();
    await button(page, "Probe senden").waitFor({ state: "detached" });
  });

  test("show the request with a link to its card, close within two seconds of an answer on another device, and do not appear while someone looks", async ({
    owned,
    openDevice,
  }) => {
    const { scene, gateway } = await open(owned);
    const [phone, desk] = [
      await openDevice(gateway, { screen: "phone" }),
      await openDevice(gateway),
    ];
    const brings: (() => Promise<void>)[] = [];
    for (const [name, device] of Object.entries({ phone, desk })) {
      await givePushService(device, scene, name);
      await turnOn(device);
      brings.push(await bringMessages(device, scene, gateway, name));
    }
    const [bringPhone = async () => undefined] = brings;
    await lookAway(phone);
    const { interactionId } = await ask(gateway);
    await until(async () => scene.service.received.length > 0, "a message");
    await bringPhone();
    await until(async () => (await shownOn(phone)).length === 1, "the notification");
    expect(await shownOn(phone)).toMatchObject([
      {
        title: "Edit checklist.md",
        tag: interactionId,
        path: `/i/${interactionId}`,
        body: expect.stringMatching(/^Demo .*in /u),
      },
    ]);
    // Someone looks at the desktop's page: nothing is sent there.
    expect(scene.service.received.map(({ to }) => to)).toEqual(["phone"]);

    await desk.open(`/i/${interactionId}`);
    await desk.press(button(desk.page, "Deny"));
    const answered = performance.now();
    await until(async () => scene.service.received.length === 2, "the end of it");
    await bringPhone();
    await until(async () => (await shownOn(phone)).length === 0, "an empty screen");
    expect(performance.now() - answered).toBeLessThan(timeHere(2000));
  });

  test("an invalid message, or one that names another origin, shows only that something waits, and a press opens the card or the start page", async ({
    owned,
    openDevice,
  }) => {
    const { scene, gateway } = await open(owned);
    const device = await openDevice(gateway);
    await givePushService(device, scene, "desk");
    await turnOn(device);
    const bring = await bringMessages(device, scene, gateway, "desk");
    await lookAway(device);
    const hostile = [
      "",
      "no JSON",
      "[]",
      '{"title":1}',
      '{"step":"tell","tag":"t","title":"<img src=x onerror=alert(1)>","body":"b","path":"https://evil.example/"}',
      '{"step":"tell","tag":"u","title":"T","body":"b","path":"//evil.example/"}',
      '{"step":"tell","tag":"int_1","title":"T","body":"b","path":"/i/int_1"}',
    ];
    for (const text of hostile) {
      const push = {
        to: "desk",
        text,
        headers: {},
        bytes: Buffer.of(),
        message: {} as never,
        atMs: 0,
      };
      scene.service.received.push(push);
    }
    await bring();
    await until(async () => (await shownOn(device)).length === 4, "four notifications");
    const shown = await shownOn(device);
    expect(shown.map(({ tag }) => tag).toSorted()).toEqual(["int_1", "more", "t", "u"]);
    expect(shown.find(({ tag }) => tag === "more")?.title).toBe("Something is waiting for you");
    const home = `${gateway.url}/`;
    for (const [tag, opened] of [
      ["t", home],
      ["u", home],
      ["more", home],
      ["int_1", `${home}i/int_1`],
    ] as const) {
      expect({ tag, opened: await pressNotification(device, tag) }).toEqual({ tag, opened });
    }
    expect(await shownOn(device)).toEqual([]);
  });

  test("an open but hidden page shows notifications itself when the browser has no push service", async ({
    owned,
    openDevice,
  }) => {
    const { gateway } = await open(owned);
    const device = await openDevice(gateway);
    const { page, context } = device;
    await context.grantPermissions(["notifications"]);
    // A test profile counts as incognito.
    device.allowProblem(/Push API in incognito mode/u);
    await device.open("/devices");
    await page.getByRole("switch", { name: "Notify this device" }).check();
    await page.getByText(/This browser has no push service/).waitFor();
    // Every page of a test browser is in view; this one reports that it is hidden.
    await page.evaluate(() =>
      Object.defineProperty(document, "visibilityState", { value: "hidden" }),
    );
    const { api, interactionId } = await ask(gateway);
    await until(async () => (await shownOn(device)).length === 1, "the notification");
    expect(await shownOn(device)).toMatchObject([
      {
        title: "Edit checklist.md",
        body: "In work",
        tag: interactionId,
        path: `/i/${interactionId}`,
      },
    ]);
    await api.respond(interactionId, { action: "deny" });
    await until(async () => (await shownOn(device)).length === 0, "an empty screen");
  });
});

describe("The installed page", () => {
  test("shows Offline while the gateway is away, reconnects within about two seconds, and caches nothing else", async ({
    startGateway: start,
    openDevice,
  }) => {
    const gateway = await start();
    const device = await openDevice(gateway);
    device.allowProblem(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|503|WebSocket/u);
    const { page, context } = device;
    device.allowProblem(/Push API in incognito mode/u);
    await context.grantPermissions(["notifications"]);
    // Over http the page installs its service worker only when notifications are turned on.
    await device.open();
    const registrations = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    expect(await registrations()).toBe(0);
    await device.open("/devices");
    await page.getByRole("switch", { name: "Notify this device" }).check();
    await page.getByText(/This browser has no push service/u).waitFor();
    expect(await registrations()).toBe(1);
    await context.setOffline(true);
    await page.goto("/grants");
    await page.getByRole("heading", { name: "Offline" }).waitFor();
    await expectAccessible(page, "offline");
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Grants" }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const caught = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return caught.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept.toSorted()).toEqual([
      "/favicon.svg",
      "/offline.css",
      "/offline.html",
      "/offline.js",
    ]);
  });

  test("has everything that browsers need to install it", async ({ gateway, openDevice }) => {
    const device = await openDevice(gateway);
    await device.open();
    const cdp = await device.context.newCDPSession(device.page);
    const { errors, data } = await cdp.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
    // A test profile counts as incognito.
    const reasons = installabilityErrors.map(({ errorId }) => errorId);
    expect(reasons.filter((reason) => reason !== "in-incognito")).toEqual([]);
    const manifest = JSON.parse(data ?? "{}") as { icons: { src: string; sizes: string }[] };
    expect(manifest.icons.map(({ sizes }) => sizes)).toContain("192x192");
    for (const { src } of manifest.icons) {
      expect((await fetch(new URL(src, gateway.url))).status).toBe(200);
    }
  });
});
