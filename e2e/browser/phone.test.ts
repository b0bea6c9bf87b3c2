import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createCertificate } from "@holdpoint/server/testing";
import { describe, expect } from "vitest";

import { until } from "../support/api.ts";
import { launchBrowser, openDevice } from "../support/browser.ts";
import { startGateway } from "../support/gateway-process.ts";
import { openPushScene } from "../support/push-scene.ts";
import { button, card, CARDS, conversation, PROMPTS } from "./support/conversation.ts";
import {
  bringMessages,
  givePushService,
  lookAway,
  shownOn,
  turnOnNotifications,
} from "./support/push-device.ts";
import { readQrCode } from "./support/read-qr-code.ts";
import { test } from "./support/test.ts";

/** A name of this machine that browsers treat as another machine's, so that the page shows a code for cameras. */
const HOST = "desk.localhost";

/** A gateway at https, a browser that accepts its certificate, and a push service. */
async function open(owned: AsyncDisposableStack) {
  const scene = owned.use(await openPushScene());
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-phone-"));
  owned.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { cert, key } = createCertificate({ hosts: [HOST] });
  const files = { "--tls-cert": cert, "--tls-key": key };
  const args: string[] = [];
  for (const [flag, content] of Object.entries(files)) {
    const file = join(folder, flag);
    await writeFile(file, content, { mode: 0o600 });
    args.push(flag, file);
  }
  const gateway = owned.use(
    await startGateway({
      ...scene.options,
      args: [...scene.options.args, ...args],
      hasTerminal: true,
    }),
  );
  const publicKey = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  const hash = createHash("sha256").update(publicKey).digest("base64");
  const browser = await launchBrowser({
    args: [`--ignore-certificate-errors-spki-list=${hash}`],
    isWhole: true,
  });
  owned.defer(() => browser.close());
  return { scene, gateway, browser };
}

describe("A phone", () => {
  test("is paired with the code on the desktop's screen, is notified, and answers", async ({
    owned,
  }) => {
    const { scene, gateway, browser } = await open(owned);
    const { url } = gateway;
    const desk = owned.use(await openDevice(browser, { url, nextLink: () => gateway.nextLink() }));
    await desk.open("/devices");
    await desk.press(button(desk.page, "Add a device"));
    const adding = desk.page.getByRole("dialog", { name: "Add a device" });
    const link = await readQrCode(adding.locator("svg.qr"));
    expect(link).toMatch(new RegExp(`^${url}/#code=[3-9A-Y-]{11}&gateway=`, "u"));

    const phone = owned.use(await openDevice(browser, { url, screen: "phone" }));
    await givePushService(phone, scene, "phone");
    await phone.page.goto(link);
    await button(phone.page, PROMPTS.edit).waitFor();
    await adding.getByText(/is signed in/u).waitFor();
    await desk.press(button(adding, "Done"));
    await turnOnNotifications(phone);
    const bring = await bringMessages(phone, scene, gateway, "phone");
    await phone.press(button(phone.page, "Send a test"));
    await phone.page
      .getByRole("main")
      .getByText(/The push service has taken it/u)
      .waitFor();
    await bring();
    await until(async () => (await shownOn(phone)).length === 1, "the test");
    await lookAway(phone);

    await desk.open("/");
    await desk.press(button(desk.page, PROMPTS.edit));
    await card(desk.page, CARDS.checklist).waitFor();
    await until(async () => scene.service.received.length > 1, "a message");
    await bring();
    const asked = (await shownOn(phone)).find(({ tag }) => tag !== "test");
    expect(asked).toMatchObject({ title: "Edit checklist.md", path: `/i/${asked?.tag}` });
    // The address that a tap on it opens.
    await phone.open(asked!.path);
    await phone.press(button(phone.page, "Allow once"));
    await conversation(desk.page)
      .getByText(/^Allowed once$/u)
      .waitFor();
    await until(
      async () => scene.service.received.some(({ message }) => message.step === "close"),
      "the end of it",
    );
    await lookAway(phone);
    await bring();
    await until(
      async () => (await shownOn(phone)).every(({ tag }) => tag === "test"),
      "an empty screen",
    );
    expect([...desk.problems, ...phone.problems]).toEqual([]);
  });
});
