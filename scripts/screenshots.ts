// Makes the pictures of the README and the guides: the real page with the demo agent.
import { statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { Api, until } from "../e2e/support/api.ts";
import { launchBrowser, openDevice } from "../e2e/support/browser.ts";
import { startGateway } from "../e2e/support/gateway-process.ts";
import { buildGateway } from "./build-gateway.ts";

const GUIDES = join(import.meta.dirname, "../guides");
/** Room for an answered question and a whole approval; with the scale 2560 × 1600 pixels. */
const DESKTOP = { viewport: { width: 1664, height: 1040 }, scale: 2560 / 1664 };
const ANSWERS = [
  { questionId: "style", selected: ["headline"] },
  { questionId: "checks", selected: ["unit", "access"] },
];

interface Picture {
  readonly name: string;
  readonly screen: "desktop" | "phone";
  readonly colorScheme: "light" | "dark";
  readonly prompt: string;
}

const PICTURES: readonly Picture[] = [
  {
    name: "conversation.png",
    screen: "desktop",
    colorScheme: "light",
    prompt: "Ask me three things at once",
  },
  {
    name: "conversation-dark.png",
    screen: "desktop",
    colorScheme: "dark",
    prompt: "Ask me three things at once",
  },
  {
    name: "phone.png",
    screen: "phone",
    colorScheme: "light",
    prompt: "Edit a file with my approval",
  },
];

/** Answers as this device would, until only the edit of the checklist is pending. */
async function settleOthers(url: string, page: Page, sessionId: string): Promise<void> {
  const clientId = await page.evaluate(() => localStorage.getItem("holdpoint.clientId"));
  const api = new Api(url, { clientId: clientId ?? "" });
  for (const { interactionId, kind, toolName, approval } of await api.interactions(
    sessionId,
    "pending",
  )) {
    if (kind === "question") {
      await api.respond(interactionId, { action: "submit", answers: ANSWERS });
    } else if (approval !== undefined && toolName === "WriteFile") {
      await api.respond(interactionId, { action: "approve", digest: approval.digest });
    }
  }
}

async function takePicture(browser: Browser, url: string, picture: Picture): Promise<void> {
  const { name, screen, colorScheme, prompt } = picture;
  const api = new Api(url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, prompt);
  await using device = await openDevice(browser, {
    url,
    nextLink: () => gateway.nextLink(),
    screen,
    colorScheme,
    deviceScaleFactor: screen === "desktop" ? DESKTOP.scale : 2,
  });
  const { page } = device;
  if (screen === "desktop") await page.setViewportSize(DESKTOP.viewport);
  await device.open(`/s/${sessionId}`);
  await waitUntilStill(page);
  await settleOthers(url, page, sessionId);
  await until(async () => (await page.title()).startsWith("(1) "), "one that waits");
  const allow = page.getByRole("log").getByRole("button", { name: "Allow once" }).first();
  await until(() => allow.isEnabled(), "an armed approval");
  await waitUntilStill(page);
  const path = join(GUIDES, name);
  await page.screenshot({ path });
  await api.call("DELETE", `/sessions/${sessionId}`);
  process.stdout.write(`${path} ${Math.round(statSync(path).size / 1024)} kB\n`);
}

/** Waits until the last drawn element no longer moves. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.getByRole("log").getByRole("article").first().waitFor();
  let before = "";
  await until(async () => {
    const now = await page.locator("body").ariaSnapshot();
    const still = now === before;
    before = now;
    return still;
  }, "the page to come to rest");
}

buildGateway();
const own = await mkdtemp(join(tmpdir(), "holdpoint-screenshots-"));
await using open = new AsyncDisposableStack();
open.defer(() => rm(own, { recursive: true, force: true, maxRetries: 5 }));
// Its name appears in the pictures.
const folder = join(own, "atlas");
await mkdir(folder);
const gateway = open.use(
  await startGateway({ hasTerminal: true, cwd: folder, env: { XDG_CACHE_HOME: own } }),
);
await using browser = await launchBrowser();
for (const picture of PICTURES) await takePicture(browser, gateway.url, picture);
