import type { HoldRequest } from "@holdpoint/engine";
import type { Interaction } from "@holdpoint/protocol";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, until } from "../support/api.ts";
import { expectAccessible } from "./support/accessible.ts";
import { conversation } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const HOSTILE = 'const a = "</code><img src=x onerror=alert(1)>"; // <script>alert(2)</script>';
const LONG = "export const due = (bill: Bill): string => `${bill.at}`; // soon\n".repeat(280);
const HIDDEN = "const safe\u202e = true;";

const keywords = (page: Page) => conversation(page).locator(".hp-token-keyword");

describe("Code in a message", () => {
  test("gets colours without moving or delaying anything, and is copied as plain text", async ({
    owned,
    openDevice,
    annotate,
  }) => {
    const texts = [
      fence("ts", HOSTILE),
      fence("bash", 'for f in *.ts; do echo "$f"; done'),
      fence("ts", HIDDEN),
      fence("nothing-known", "const a = 1;"),
      fence("ts", LONG),
    ];
    const gateway = owned.use(await openScriptedGateway(sayAndAsk(texts, [])));
    const api = new Api(gateway.url);
    const sessionId = await gateway.start();
    await api.idle(sessionId);
    const device = await openDevice(gateway);
    const { page } = device;
    await device.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(watchLongTasks);
    await device.open(`/s/${sessionId}`);
    const blocks = conversation(page).locator("pre");
    const top = conversation(page).getByText("</code><img");
    await keywords(page).first().waitFor();
    await conversation(page).evaluate((log) => log.scrollTo({ top: 0 }));
    await top.waitFor();
    const block = blocks.filter({ hasText: "onerror" });
    await block.locator(".hp-token-string").first().waitFor();
    expect(await block.evaluate((pre) => pre.textContent)).toBe(`${HOSTILE}\n`);
    expect(await conversation(page).locator("img").count()).toBe(0);
    await block.locator("xpath=..").getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(HOSTILE);
    await blocks.filter({ hasText: "echo" }).locator(".hp-token-keyword").first().waitFor();
    const hidden = blocks.filter({ hasText: "RLO" });
    expect(await hidden.locator("[class^=hp-token]").count()).toBe(0);
    expect(
      await blocks
        .filter({ hasText: /^const a = 1/ })
        .locator("[class^=hp-token]")
        .count(),
    ).toBe(0);
    await takePicture(page, "code");
    // A block that arrives while the page is idle.
    await page.waitForTimeout(1000);
    await page.evaluate(() => Reflect.set(globalThis, "longestTask", 0));
    await api.send(sessionId, "again");
    await api.idle(sessionId);
    await conversation(page).evaluate((log) => log.scrollTo({ top: log.scrollHeight }));
    await page.waitForTimeout(1500);
    const heights = await page.evaluate(measureWithout);
    expect(heights.without).toEqual(heights.colours);
    const longest = await page.evaluate(() => Reflect.get(globalThis, "longestTask") as number);
    await annotate(`longest task with ${LONG.length} characters of code: ${longest} ms`, "figure");
  });
});

const BEFORE = "export const due = 30;\nconst day = 1;\nexport const open = true;\n";
const AFTER = `export const due = 14;\n${HIDDEN}\nexport const open = true;\n`;

const ASKS: readonly HoldRequest[] = [
  {
    kind: "approval",
    toolCallId: "call_command",
    toolName: "Bash",
    input: { command: 'for f in *.ts; do\n\techo "$f"\ndone' },
    display: {},
    scopes: ["once"],
    scopeText: {},
    editable: false,
  },
  {
    kind: "approval",
    toolCallId: "call_change",
    toolName: "Edit",
    input: { file_path: "/w/due.ts" },
    change: { path: "/w/due.ts", before: BEFORE, after: AFTER },
    display: {},
    scopes: ["once"],
    scopeText: {},
    editable: false,
  },
];

describe("Code that a person has to approve", () => {
  test("[R-6] gets colours that change neither its text nor its size and never replace marks", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([], ASKS)));
    const device = await openDevice(gateway, { screen: "phone" });
    device.allowProblem(/highlight-worker/u);
    const { page } = device;
    const sessionId = await gateway.start();
    for (const { interactionId, approval } of await bothOf(gateway.url, sessionId)) {
      // The colours come from a worker, which is blocked for now.
      await page.route(/highlight-worker/u, (route) => route.abort());
      await device.open(`/i/${interactionId}`);
      const code = page.getByRole("article").locator(".hp-code-text, .hp-diff-rows").first();
      await code.waitFor();
      const plain = await code.evaluate(measure);
      expect(await code.locator("[class^=hp-token]").count()).toBe(0);
      await page.unrouteAll();
      await device.open(`/i/${interactionId}`);
      await code.locator(".hp-token-keyword").first().waitFor();
      expect(await code.evaluate(measure)).toEqual(plain);
      await takePicture(page, `colours of ${approval?.change ? "a change" : "a command"}`);
      await expectAccessible(page, "colours of code");
      if (approval?.change === undefined) continue;
      const hidden = code.locator(".hp-diff-row").filter({ hasText: "RLO" });
      expect(await hidden.locator("[class^=hp-token]").count()).toBe(0);
      expect(await code.locator(".hp-diff-word [class^=hp-token]").count()).toBe(0);
      const removed = code.locator(".hp-diff-removed").first();
      await removed.locator(".hp-token-keyword").first().waitFor();
    }
  });
});

async function bothOf(url: string, sessionId: string): Promise<readonly Interaction[]> {
  return until(async () => {
    const asked = await new Api(url).interactions(sessionId, "pending");
    return asked.length === ASKS.length ? asked : undefined;
  }, "both requests");
}

function measure(element: Element) {
  const { width, height } = element.getBoundingClientRect();
  return { width, height, text: element.textContent };
}

/** Runs in the page before its own scripts. */
function watchLongTasks(): void {
  Reflect.set(globalThis, "longestTask", 0);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      const longest = Reflect.get(globalThis, "longestTask") as number;
      Reflect.set(globalThis, "longestTask", Math.max(longest, duration));
    }
  }).observe({ type: "longtask", buffered: true });
}

/** Heights of all code blocks, with and without colours. */
function measureWithout(): { colours: number[]; without: number[] } {
  const blocks = [...document.querySelectorAll("pre")];
  const colours = blocks.map((pre) => pre.getBoundingClientRect().height);
  for (const pre of blocks) pre.replaceChildren(pre.textContent);
  return { colours, without: blocks.map((pre) => pre.getBoundingClientRect().height) };
}
