import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { openApiDevice } from "../support/api-device.ts";
import { Api, until } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  expectFocus,
  expectReady,
  fillQuestions,
  PROMPTS,
} from "./support/conversation.ts";
import {
  changesOf,
  findSession,
  forgetSessions,
  knowToken,
  looksAtRest,
  looksOf,
  openEmbedding,
  switchStyles,
  untilPresent,
} from "./support/embedding.ts";
import { test as base, mainlyOn } from "./support/test.ts";

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
const test = base
  .extend("embedding", { scope: "file" }, async ({}, { onCleanup }) => {
    const embedding = await openEmbedding();
    onCleanup(() => embedding[Symbol.asyncDispose]());
    return embedding;
  })
  /** The page on a device that has signed in before, with an empty conversation. */
  .extend("openEmbed", async ({ embedding, openDevice }) => {
    await forgetSessions(embedding);
    return async (options: Parameters<typeof openDevice>[1] = {}): Promise<Device> => {
      const device = await openDevice(embedding.page, { ...options, signedIn: false });
      await knowToken(device);
      await device.open();
      await composer(device.page).waitFor();
      return device;
    };
  });
/* oxlint-enable no-empty-pattern */

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press("Enter");
}

describe("Another app's page", () => {
  test.for(mainlyOn("desktop"))(
    "asks in place, and the agent continues with exactly that answer, on a %s",
    async (screen, { embedding, openEmbed }) => {
      const device = await openEmbed({ screen });
      const { page } = device;
      await say(page, PROMPTS.questions);
      const panel = page.getByRole("region", { name: "Release assistant" });
      const questions = panel.getByRole("article", { name: CARDS.questions });
      await fillQuestions(device, questions);
      await device.press(button(questions, "Submit"));
      await card(page, "Submitted").getByText("you, on this device").waitFor();

      const api = new Api(embedding.gateway.url);
      const sessionId = await findSession(api);
      await page.getByText("Ask Ada").last().waitFor();
      const events = await api.events(sessionId);
      expect(events.find(({ type }) => type === "interaction_response")).toMatchObject({
        action: "submit",
        answers: [
          { questionId: "style", selected: ["list"] },
          { questionId: "checks", selected: ["unit"], other: "Ask Ada" },
        ],
      });
      expect(events.find(({ type }) => type === "tool_result")).toMatchObject({
        content: "Style: Plain list\nChecks: Unit tests, in their own words: Ask Ada",
      });
    },
  );

  test("[R-6] lets a person allow with the keyboard alone", async ({ embedding, openEmbed }) => {
    const { page } = await openEmbed();
    await say(page, PROMPTS.edit);
    const checklist = card(page, CARDS.checklist);
    await expectReady(button(checklist, "Allow once"));
    for (let presses = 0; presses < 20; presses += 1) {
      if (await checklist.evaluate((one) => one === document.activeElement)) break;
      await page.keyboard.press("Shift+Tab");
    }
    await expectFocus(checklist);
    await page.keyboard.press("a");
    await card(page, "Submitted").getByText("Allowed once").waitFor();
    const api = new Api(embedding.gateway.url);
    const sessionId = await findSession(api);
    const result = async () =>
      (await api.events(sessionId)).find(({ type }) => type === "tool_result");
    expect(await until(result, "the edit to be made")).toMatchObject({ isError: false });
  });

  test("[R-10] keeps the question and the typed text over a reload", async ({ openEmbed }) => {
    const device = await openEmbed();
    const { page } = device;
    await say(page, PROMPTS.questions);
    const questions = card(page, CARDS.questions);
    await device.press(questions.getByRole("radio", { name: "Other" }));
    const other = questions.getByRole("textbox", { name: "Other, in your own words" });
    await other.fill("As a haiku");
    await composer(page).fill("And then");
    await page.reload();
    await other.waitFor();
    expect(await other.inputValue()).toBe("As a haiku");
    expect(await composer(page).inputValue()).toBe("And then");
  });

  test("[R-1] shows the same settled state on two devices", async ({ openEmbed }) => {
    const desk = await openEmbed();
    const phone = await openEmbed({ screen: "phone" });
    await say(desk.page, PROMPTS.edit);
    const onPhone = card(phone.page, CARDS.checklist);
    await expectReady(button(onPhone, "Allow once"));
    await phone.press(button(onPhone, "Deny"));
    await card(phone.page, "Submitted").getByText("you, on this device").waitFor();
    const elsewhere = card(desk.page, "Answered on another device");
    await elsewhere.getByText("Denied").waitFor();
    expect(await elsewhere.getByRole("button").count()).toBe(0);
    await card(desk.page, CARDS.checklist).waitFor({ state: "detached" });
    for (const { page } of [desk, phone]) {
      await conversation(page).getByText("Delivered to the agent").waitFor();
    }
  });

  test("disconnects its client once the embedded conversation is removed", async ({
    embedding: { gateway },
    openEmbed,
  }) => {
    const { page } = await openEmbed();
    const clientId = await page.evaluate(() => localStorage.getItem("harbor.holdpoint-client"));
    const isThere = (ids: readonly string[]): boolean => ids.includes(clientId ?? "");
    await untilPresent(gateway, isThere);
    await button(page, "Hide the assistant").click();
    await untilPresent(gateway, (ids) => !isThere(ids));
    expect(await page.locator("[class|=hp]").count()).toBe(0);
    await button(page, "Show the assistant").click();
    await untilPresent(gateway, isThere);
    await composer(page).waitFor();
  });

  test("keeps a program's token, made by a person, out of every URL", async ({
    owned,
    openDevice,
  }) => {
    const { page: host, gateway } = owned.use(await openEmbedding());
    const person = await openApiDevice(gateway.launchUrl);
    const made = await person.createProgramToken({
      label: "Harbor",
      scope: "respond",
      expiresInDays: 1,
    });
    const device = await openDevice(host, { signedIn: false });
    const { page, context } = device;
    const urls: string[] = [];
    context.on("request", (request) => urls.push(request.url()));
    await page.goto("/");
    await page.getByLabel("Token").fill(made.token);
    await button(page, "Connect").click();
    await composer(page).waitFor();
    expect(page.url()).toBe(`${host.url}/`);
    expect(await page.locator("#token").inputValue()).toBe("");
    expect(urls.join(" ")).not.toContain(made.token);
    const { items } = await person.listProgramTokens();
    expect(items).toMatchObject([{ label: "Harbor", lastUsedAt: expect.any(String) as string }]);

    device.allowProblem(/401/);
    await person.revokeProgramToken(made.tokenId);
    await page.reload();
    await page.getByRole("alert").getByText("no longer signed in").waitFor();
  });

  test("is refused at an origin that the gateway does not know, and says what to do", async ({
    embedding: { page: host, gateway },
    openDevice,
  }) => {
    const url = await host.serveElsewhere();
    const device = await openDevice({ url }, { signedIn: false });
    device.allowProblem(/CORS|ERR_FAILED/);
    await knowToken(device);
    const statuses: number[] = [];
    device.page.on("response", (response) => {
      if (response.url().startsWith(gateway.url)) statuses.push(response.status());
    });
    await device.open();
    await device.page
      .getByRole("alert")
      .getByText(`${gateway.url} does not answer this page. Start it with --embed-origin ${url}`)
      .waitFor();
    expect(statuses.filter((status) => status !== 403)).toEqual([]);
    expect(await composer(device.page).count()).toBe(0);
  });

  test("keeps its looks, and so does the embedded conversation, whatever styles the other has", async ({
    openEmbed,
  }) => {
    const { page } = await openEmbed();
    await say(page, PROMPTS.threeThings);
    await page.setViewportSize({ width: 1440, height: 2700 });
    // High enough to draw every row; size and colour scheme are the page's own choice.
    await page.locator("#assistant").evaluate((panel) => {
      (panel as HTMLElement).style.cssText =
        "width: 640px; height: 2400px; border: 0; color-scheme: light";
    });
    for (const name of [CARDS.checklist, CARDS.visits]) {
      await expectReady(button(card(page, name), "Allow once"));
    }
    await page.mouse.move(0, 0);
    // The countdown moves on its own.
    const ours = ".hp-conversation, .hp-conversation :not(.hp-countdown-bar)";
    const theirs = "html, body, .bar, .bar *, .release, .release *, #connect, #connect *";

    const before = await looksAtRest(page, ours);
    expect(before.length).toBeGreaterThan(150);
    await switchStyles(page, /harbor/, false);
    expect(changesOf(before, await looksOf(page, ours))).toEqual([]);
    await switchStyles(page, /harbor/, true);
    await page.addStyleTag({ content: HOSTILE });
    expect(changesOf(before, await looksOf(page, ours))).toEqual([]);

    const looks = await looksOf(page, theirs);
    await switchStyles(page, /assets/, false);
    expect(changesOf(looks, await looksOf(page, theirs))).toEqual([]);
  });

  test("follows the page's colour scheme, and is light where the page says nothing", async ({
    openEmbed,
  }) => {
    const { page } = await openEmbed({ colorScheme: "dark" });
    const background = (): Promise<string> =>
      page.locator(".hp-conversation").evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(await background()).toBe("rgb(19, 20, 22)");
    await page.addStyleTag({ content: ":root { color-scheme: normal !important }" });
    expect(await background()).toBe("rgb(251, 251, 250)");
  });

  test.for(mainlyOn("phone"))(
    "has no accessibility fault that axe finds, on a %s",
    async (screen, { openEmbed }) => {
      const device = await openEmbed({ screen });
      const { page } = device;
      await expectAccessible(page, "before anything was said");
      await say(page, PROMPTS.questions);
      await card(page, CARDS.questions).waitFor();
      await expectAccessible(page, "a question");
      await expectReflow(page, "a question");
    },
  );
});

/** Rules as careless or as strong as a page may have. */
const HOSTILE = `
  * { padding: 3px; letter-spacing: 2px; text-transform: uppercase; box-sizing: content-box; }
  *::before { content: "x"; color: red; }
  #assistant div, #assistant p, #assistant span { display: inline-block; margin: 9px; color: red; }
  #assistant button, #assistant input, #assistant textarea { width: 100%; background: red; font: 30px serif; }
  #assistant svg { fill: red; width: 40px; display: block; float: left; }
  .assistant .hp-button, .assistant .hp-card { border: 5px dotted red; border-radius: 0; }
  html { font-size: 5px; line-height: 3; word-spacing: 1em; text-align: right; cursor: wait; }
`;
