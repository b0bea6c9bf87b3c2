import type { Ask } from "@holdpoint/protocol";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { NETWORK_TROUBLE } from "./support/behind-line.ts";
import { button, card, CARDS, fillQuestions, PROMPTS, startDemo } from "./support/conversation.ts";
import {
  openPathProxy,
  PATH,
  type PathProxy,
  type PathProxyOptions,
} from "./support/path-proxy.ts";
import { testInWholeBrowser as base } from "./support/test.ts";

/** Caches of the neighbour, and of gateways under other paths. */
const OTHER_CACHES = ["neighbour", "offline-1", `offline-1/other${PATH}`];

const test = base.extend("openPlace", async ({ startGateway, owned }) => {
  return async (options: PathProxyOptions) => {
    const proxy = owned.use(await openPathProxy(options));
    const gateway = await startGateway({ env: { HOLDPOINT_PUBLIC_URL: proxy.url } });
    proxy.connectTo(Number(new URL(gateway.url).port));
    return { gateway, proxy };
  };
});

async function answerQuestions(device: Device): Promise<void> {
  const questions = card(device.page, CARDS.questions);
  await fillQuestions(device, questions);
  await device.press(button(questions, "Submit"));
  await card(device.page, "Submitted").getByText("Delivered to the agent").waitFor();
}

/**
 * Over http the page installs its service worker with the notifications. Returns a function that delivers a push
 * message.
 */
async function installServiceWorker(device: Device): Promise<(origin: string) => Promise<void>> {
  const { page, context } = device;
  device.allowProblem(/Push API in incognito mode/u);
  await context.grantPermissions(["notifications"]);
  const cdp = await context.newCDPSession(page);
  const installed = Promise.withResolvers<{ registrationId: string; scopeURL: string }>();
  cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [found] }) => {
    if (found) installed.resolve(found);
  });
  await cdp.send("ServiceWorker.enable");
  await device.open(`${PATH}/devices`);
  await page.getByRole("switch", { name: "Notify this device" }).check();
  await page.getByText(/This browser has no push service/u).waitFor();
  const { registrationId, scopeURL } = await installed.promise;
  expect(new URL(scopeURL).pathname).toBe(`${PATH}/`);
  const message = { step: "tell", tag: "int_1", title: "Delete it?", body: "", path: "/i/int_1" };
  const data = JSON.stringify(message);
  return async (origin) => {
    await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

async function seeOffline(device: Device, proxy: PathProxy): Promise<void> {
  const { page } = device;
  device.allowProblem(NETWORK_TROUBLE);
  proxy.isAway = true;
  await page.goto(`${proxy.url}grants`);
  await page.getByRole("heading", { name: "Offline" }).waitFor();
  proxy.isAway = false;
  await page.getByRole("heading", { name: "Grants" }).waitFor();
}

/** Runs in a page of the origin: the titles of the shown notifications. */
async function shownUnder(path: string): Promise<string[]> {
  const registration = await navigator.serviceWorker.getRegistration(`${path}/`);
  return ((await registration?.getNotifications()) ?? []).map(({ title }) => title);
}

describe("Behind a proxy that also serves other things", () => {
  test("and strips the path: a launch link, an answer over a WebSocket, a reload, and a service worker that leaves the others alone", async ({
    openPlace,
    openDevice,
  }) => {
    const { gateway, proxy } = await openPlace({ strips: true });
    const launchUrl = await gateway.nextLink();
    expect(launchUrl.startsWith(`${proxy.url}#code=`)).toBe(true);
    expect(gateway.stderr()).toContain(`Every other page at ${proxy.root} can`);
    const device = await openDevice({ url: proxy.url, nextLink: async () => launchUrl });
    const { page, context } = device;
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    await device.open(PATH + "/");
    await page
      .getByRole("link", { name: /Ask me two questions/u })
      .first()
      .click();
    await page.waitForURL(`${proxy.url}s/${sessionId}`);
    await answerQuestions(device);
    expect(proxy.passed).toContain("WS /api/ws");
    expect(proxy.passed.filter((line) => line.includes(PATH))).toEqual([]);
    await page.reload();
    await card(page, "Submitted").waitFor();
    // Its cache is separate from the cache of a gateway under another path, and its frame is drawn from it.
    const kept = await page.evaluate(() => ({
      frame: document.documentElement.dataset["frame"],
      ours: localStorage.getItem("holdpoint/holdpoint.device") !== null,
      others: localStorage.getItem("holdpoint.device"),
    }));
    expect(kept).toEqual({ frame: "rail", ours: true, others: null });
    await page.evaluate(
      async (names) => {
        for (const name of names) await caches.open(name);
      },
      [...OTHER_CACHES, `offline-1${PATH}`],
    );
    const notify = await installServiceWorker(device);
    const [worker] = context.serviceWorkers();
    const leads = await worker?.evaluate('["/i/int_1", "//evil.example/", "/../s", 3].map(toUrl)');
    expect(leads).toEqual([`${proxy.url}i/int_1`, proxy.url, proxy.url, proxy.url]);
    await seeOffline(device, proxy);
    await page.goto(proxy.root);
    const { controller, names } = await page.evaluate(async () => ({
      controller: navigator.serviceWorker.controller,
      names: await caches.keys(),
    }));
    expect(controller).toBeNull();
    expect(names.toSorted()).toEqual([...OTHER_CACHES, `offline-2${PATH}`].toSorted());
    // A visible page of the neighbour is not one of the gateway's: the person is notified.
    await notify(proxy.root);
    await expect.poll(() => page.evaluate(shownUnder, PATH)).toEqual(["Delete it?"]);
  });

  test("and keeps the path: an answer over event streams, a program's ask and its card, and an address without its last slash", async ({
    openPlace,
    openDevice,
  }) => {
    const { gateway, proxy } = await openPlace({ strips: false, refusesSockets: true });
    const device = await openDevice({ url: proxy.url, nextLink: () => gateway.nextLink() });
    device.allowProblem(/WebSocket connection to .* failed/u);
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    await device.open(`${PATH}/s/${sessionId}`);
    await answerQuestions(device);
    expect(proxy.passed).toContain(`GET ${PATH}/api/sessions/${sessionId}/events`);
    // A program can ask there as well, and gets the address of its card.
    const label = { label: "CI" };
    const agent = await new Api(gateway.url).call<{ token: string }>(
      "POST",
      "/agent-tokens",
      label,
    );
    const program = new Api(proxy.url.slice(0, -1), agent.body);
    const deploy = { kind: "approval", label: "deploy.sh", prompt: "Deploy 1.4.2?" };
    const asked = await program.call<Ask>("POST", "/asks", deploy);
    expect(asked.body.cardUrl).toBe(`${proxy.url}i/${asked.body.interactionId}`);
    await device.page.goto(asked.body.cardUrl);
    await device.press(button(device.page, "Deny"));
    await device.page.getByText("Denied").first().waitFor();
    await device.page.goto(PATH);
    expect(device.page.url()).toBe(proxy.url);
    // At its own address the same gateway serves the page at the root.
    const here = await openDevice(gateway);
    await here.open(`/s/${sessionId}`);
    await card(here.page, "Answered on another device").waitFor();
  });
});
