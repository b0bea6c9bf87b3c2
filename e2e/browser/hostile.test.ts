import type { HoldRequest } from "@holdpoint/engine";
import type { Interaction } from "@holdpoint/protocol";
import type { Request } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, until } from "../support/api.ts";
import { button, card, conversation, expectReady, openScopes } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

const ESC = "\u001B";
const HIDDEN = [ESC, "\u200B", "\u202C", "\u202E"];
const HOSTILE = `${ESC}[2J\u202Eevil\u202C p\u0430ypal\u200B${" ".repeat(40)}rm -rf /`;

const command = (text: string, more: Partial<HoldRequest> = {}): HoldRequest =>
  ({
    kind: "approval",
    toolCallId: "call_command",
    toolName: "Bash",
    input: { command: text },
    display: {},
    scopes: ["once", "always"],
    scopeText: { always: `Exactly this text: ${text}` },
    editable: false,
    ...more,
  }) as HoldRequest;

const htmlQuestion: HoldRequest = {
  kind: "question",
  toolCallId: "call_html",
  toolName: "AskUserQuestion",
  questions: [
    {
      id: "layout",
      header: "Layout",
      question: "Which layout? <img src=x onerror=alert(1)>",
      multiSelect: false,
      options: [
        {
          id: "hostile",
          label: "Wide",
          preview: {
            format: "html",
            content: `<p style="color:green">A wide page</p><script>parent.document.title="owned"</script>
              <img src="https://example.invalid/pixel.png"><form action="/api/sessions"><button>Go</button></form>
              <a href="/" target="_top">Leave</a><iframe src="/"></iframe>`,
          },
        },
        { id: "plain", label: "Narrow" },
      ],
    },
  ],
};

/** Runs in the page: whether a press on the middle of the element reaches it. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there !== null && element.contains(there);
}

describe("An agent's text", () => {
  test.for(mainlyOn("phone"))(
    "shows a mark for each hidden or misleading character, in any position, on a %s",
    async (screen, { owned, openDevice }) => {
      const gateway = owned.use(
        await openScriptedGateway(
          sayAndAsk(
            [`Look: ${HOSTILE}`],
            [
              command(HOSTILE, {
                agentId: `helper\u202E`,
                display: { title: `Run ${HOSTILE}`, reason: `Because ${HOSTILE}` },
              }),
            ],
          ),
        ),
      );
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open(`/s/${await gateway.start(`Do ${HOSTILE}`)}`);
      const approval = conversation(page).getByRole("article");
      await expectReady(button(approval, "Allow once"));
      const text = await page.locator("body").innerText();
      for (const hidden of HIDDEN) expect(text).not.toContain(hidden);
      const marks = await approval.getByTitle("right-to-left override").count();
      expect(marks).toBeGreaterThanOrEqual(4);
      for (const name of ["terminal control sequence", "zero-width space", "40 spaces in a row"]) {
        expect(await approval.getByTitle(name).count()).toBeGreaterThanOrEqual(3);
      }
      expect(await conversation(page).getByTitle("right-to-left override").count()).toBeGreaterThan(
        marks + 1,
      );
      for (const hidden of HIDDEN) expect(await page.title()).not.toContain(hidden);
    },
  );

  test.for(mainlyOn("desktop"))(
    "breaks words of any length, so that no part of a card is cut off, on a %s",
    async (screen, { owned, openDevice }) => {
      const word = "Rinderkennzeichnungsfleischetikettierung".repeat(8);
      const approval = command(word, {
        agentId: word,
        display: { title: word, reason: word, server: word, blockedPath: `/${word}` },
      });
      const field = { type: "string", title: word, description: word };
      const form: HoldRequest = {
        kind: "form",
        toolCallId: "call_form",
        toolName: "ask",
        prompt: word,
        form: { schema: { type: "object", description: word, properties: { field } } },
      };
      const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [approval, form])));
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      const sessionId = await gateway.start();
      for (const { interactionId } of await bothOf(gateway.url, sessionId)) {
        await device.open(`/i/${interactionId}`);
        const asked = page.getByRole("article");
        await asked.getByRole("button").last().waitFor();
        expect(await asked.evaluate(findCutOff)).toEqual([]);
      }
    },
  );

  test.for(mainlyOn("phone"))(
    "[R-5] neither displaces nor covers Deny, and never overflows the screen, on a %s",
    async (screen, { owned, openDevice }) => {
      // Drawn far above and below its line where nothing clips it.
      const tower = `e${"\u0301\u0323\u0334".repeat(300)}`;
      const lines = "Please\n".repeat(500);
      const ask = command(`echo ${tower}`, {
        toolName: `Bash${tower}`,
        input: { command: `echo ${tower}`, note: tower },
        agentId: tower,
        display: {
          title: `${lines}${tower}`,
          description: `${tower.repeat(10)}${lines}`,
          reason: `${lines}${tower}`,
          server: tower,
          blockedPath: `/${tower}`,
        },
        scopeText: { always: tower + lines },
      });
      const over = `<div style="position:fixed;inset:0;z-index:9">Over all</div>\n\n# ${tower}`;
      const gateway = owned.use(await openScriptedGateway(sayAndAsk([over], [ask])));
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open(`/s/${await gateway.start()}`);
      const asked = conversation(page).getByRole("article");
      const deny = button(asked, "Deny");
      await deny.waitFor();
      await expect.poll(() => deny.evaluate(isOnTop)).toBe(true);
      await takePicture(page, `towers ${screen}`);
      expect(await asked.evaluate(findCutOff)).toEqual([]);
      expect(await page.locator("body").innerText()).not.toMatch(/\p{Mark}{9}/u);
      await device.press(deny);
      await expect.poll(() => asked.innerText()).toContain("Denied");
    },
  );

  test("[R-6] is drawn in the order it will run in, including right-to-left letters", async ({
    owned,
    openDevice,
  }) => {
    const text = "cp \u05D0\u05D1\u05D2 123 ; rm \u05D3\u05D4 \u0627\u0628 /x";
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [command(text)])));
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${await gateway.start()}`);
    const code = card(page, "Run ").locator("pre code").first();
    await code.waitFor();
    expect(await code.evaluate(readFromLeft)).toBe(text);
  });

  test("[R-6] cannot be allowed before the whole of a long input was opened", async ({
    owned,
    openDevice,
  }) => {
    const lines = Array.from({ length: 200 }, (_, index) => `echo line ${index}`);
    const gateway = owned.use(
      await openScriptedGateway(sayAndAsk([], [command([...lines, "rm -rf /"].join("\n"))])),
    );
    const device = await openDevice(gateway);
    const { page } = device;
    const sessionId = await gateway.start();
    await device.open(`/s/${sessionId}`);
    const approval = card(page, "Run ");
    await approval.getByText("Open all 201 lines to allow").waitFor();
    await approval.focus();
    await page.keyboard.press("a");
    await button(approval, "Allow once").click({ force: true });
    const scopes = await openScopes(device, approval);
    await button(scopes, "Always allow").click({ force: true });
    const api = new Api(gateway.url);
    expect(await api.interactions(sessionId, "pending")).toHaveLength(1);
    await button(approval, "Show all 201 lines").click();
    await approval.getByText("rm -rf /").first().waitFor();
    await expectReady(button(approval, "Allow once"));
    await button(approval, "Allow once").click();
    await card(page, "Submitted").waitFor();
  });

  test("is markdown without raw HTML and foreign images, and with links that show their target", async ({
    owned,
    openDevice,
  }) => {
    const markdown = [
      "<script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">",
      "![A pixel](https://example.invalid/pixel.png)",
      "[your bank](https://evil.invalid/login) and [click](javascript:alert(1))",
      "**After it**",
    ].join("\n\n");
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([markdown], [])));
    const device = await openDevice(gateway);
    const { page, context } = device;
    const foreign: string[] = [];
    context.on("request", (request) => {
      if (!request.url().startsWith(gateway.url)) foreign.push(request.url());
    });
    await device.open(`/s/${await gateway.start()}`);
    const log = conversation(page);
    await log.getByText("After it", { exact: true }).waitFor();
    expect(await log.getByRole("img").count()).toBe(0);
    await log.getByText("Image: A pixel").waitFor();
    const bank = log.getByRole("link", { name: "your bank (evil.invalid)" });
    expect(await bank.getAttribute("rel")).toContain("noopener");
    expect(await log.getByRole("link").count()).toBe(1);
    await expect.poll(() => page.title()).toContain("Holdpoint");
    expect(foreign).toEqual([]);
  });

  test("as an HTML preview runs nothing, loads nothing and leads nowhere", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [htmlQuestion])));
    const device = await openDevice(gateway);
    // The preview's attempts are blocked, and reported, by its sandbox and its own policy.
    device.allowProblem(/about:srcdoc|example\.invalid|^console error: Framing/);
    const { page, context } = device;
    // The browser sometimes reports a request that the policy blocked before it was sent.
    const sent: string[] = [];
    const onEnd = (request: Request): void => {
      const isStopped = request.failure()?.errorText === "csp";
      if (request.frame() !== page.mainFrame() && !isStopped) sent.push(request.url());
    };
    context.on("requestfinished", onEnd);
    context.on("requestfailed", onEnd);
    await device.open(`/s/${await gateway.start()}`);
    const preview = page.frameLocator("iframe[title='Preview of Wide']");
    await preview.getByText("A wide page").waitFor();
    const color = await preview
      .getByText("A wide page")
      .evaluate((element) => getComputedStyle(element).color);
    expect(color).toBe("rgb(0, 128, 0)");
    await preview.getByRole("button", { name: "Go" }).click();
    await preview.getByRole("link", { name: "Leave" }).click();
    await page.getByRole("radio", { name: "Wide" }).check();
    expect(await page.title()).not.toContain("owned");
    expect(new URL(page.url()).pathname).toMatch(/^\/s\//);
    expect(sent).toEqual([]);
    await conversation(page).getByText("<img src=x onerror=alert(1)>").waitFor();
  });
});

function bothOf(url: string, sessionId: string): Promise<readonly Interaction[]> {
  return until(async () => {
    const waiting = await new Api(url).interactions(sessionId, "pending");
    return waiting.length === 2 && waiting;
  }, "both that wait");
}

/** The letters of one line in the order in which they are drawn, from left to right. */
function readFromLeft(line: Element): string {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const drawn: { readonly left: number; readonly letter: string }[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const [index, letter] of Array.from(node.textContent ?? "").entries()) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      drawn.push({ left: range.getBoundingClientRect().left, letter });
    }
  }
  return drawn
    .toSorted((one, other) => one.left - other.left)
    .map(({ letter }) => letter)
    .join("");
}

/** Text that reaches beyond the card's edges. */
function findCutOff(card: Element): string[] {
  const { left, right } = card.getBoundingClientRect();
  const range = document.createRange();
  // Text for screen readers only has no position.
  for (const name of card.querySelectorAll<HTMLElement>(".hp-visually-hidden")) {
    name.style.display = "none";
  }
  return [...card.querySelectorAll("*")].flatMap((element) => {
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const isCutOff = text.width > 0 && (text.left < left - 1 || text.right > right + 1);
    return isCutOff ? [element.outerHTML.slice(0, 80)] : [];
  });
}
