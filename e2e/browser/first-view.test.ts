import type { HoldRequest } from "@holdpoint/engine";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

const style: HoldRequest = {
  kind: "question",
  toolCallId: "call_style",
  toolName: "AskUserQuestion",
  questions: [
    {
      id: "style",
      header: "Style",
      question: "Which style?",
      multiSelect: false,
      options: [
        {
          id: "a",
          label: "Short",
          preview: { format: "markdown", content: "```ts\nconst a = 1;\n```" },
        },
        { id: "b", label: "Long", preview: { format: "markdown", content: "- one\n".repeat(20) } },
      ],
    },
  ],
};

/** Rendered, it is lower than its source. */
const SAID = "I look at it.\n\n```ts\nconst b = 2;\n```";

/** Each new page records the position of the first option in every frame. */
function watchFirstOption(): void {
  const places: string[] = [];
  Reflect.set(globalThis, "places", places);
  const look = (): void => {
    const option = document.querySelector("article [type=radio]")?.getBoundingClientRect();
    const place = option && `${Math.round(option.x)}, ${Math.round(option.y)}`;
    if (place !== undefined && place !== places.at(-1)) places.push(place);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** As distant and slow as a phone's connection: late parts arrive late. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 100_000,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Code of the first view that began to load only after the shell. On a slow network that is an additional wait. */
function findLate(): string[] {
  const loads = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const find = (part: string) => loads.find(({ name }) => name.includes(`/${part}-`))!;
  const { responseEnd } = find("shell");
  return ["cards", "markdown-renderer"].filter((part) => find(part).startTime > responseEnd);
}

describe("The first view of a question", () => {
  test.for(mainlyOn("phone"))(
    "does not move while the rest of the page loads slowly, on a %s",
    async (screen, { owned, openDevice }) => {
      const gateway = owned.use(await openScriptedGateway(sayAndAsk([SAID], [style])));
      const sessionId = await gateway.start();
      const { page, ...device } = await openDevice(gateway, { screen });
      await device.open("/history");
      await page.addInitScript(watchFirstOption);
      await slowDown(page);
      await page.goto(`/s/${sessionId}`);
      await page.getByRole("radio", { name: "Short" }).waitFor();
      // All late parts have arrived: colours of code, then nothing for some time.
      await page.getByRole("log").locator(".hp-code-block, pre").first().waitFor();
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.waitForTimeout(2000);
      const places = await page.evaluate(() => Reflect.get(globalThis, "places") as string[]);
      expect(places).toHaveLength(1);
      expect(await page.evaluate(findLate)).toEqual([]);
    },
  );
});

/** Each new page records when its main part appears. */
function watchMain(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector("main") === null) return;
    Reflect.set(globalThis, "drawnAt", performance.now());
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

/** The time the page took to be drawn after its code had loaded, and the time its code took. */
function readStart(): { readonly draws: number; readonly loads: number } {
  const drawnAt = Reflect.get(globalThis, "drawnAt") as number;
  const loadedAt = performance
    .getEntriesByType("resource")
    .filter(({ name }) => /\/shell-.*\.js$/u.test(name))
    .map((entry) => (entry as PerformanceResourceTiming).responseEnd)[0]!;
  return { draws: drawnAt - loadedAt, loads: loadedAt };
}

test("The page is drawn as soon as its code is there", async ({ gateway, openDevice }) => {
  const device = await openDevice(gateway);
  await device.open("/history");
  await device.page.addInitScript(watchMain);
  const ratios: number[] = [];
  for (let opening = 0; opening < 5; opening += 1) {
    await device.open("/");
    await device.page.getByRole("main").waitFor();
    const { draws, loads } = await device.page.evaluate(readStart);
    ratios.push(draws / loads);
  }
  // React would wait for 300 ms after an empty fallback, three times as long as everything before it.
  expect(Math.min(...ratios)).toBeLessThan(0.5);
});
