import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import {
  button,
  card,
  CARDS,
  composer,
  fillQuestions,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { test } from "./support/test.ts";

/** More than the connections that a browser opens to one place over HTTP/1.1, which is six. */
const TAB_COUNT = 8;

describe("Many tabs of one browser", () => {
  test("[R-7] are all live, and the last one answers", async ({ startGateway, openDevice }) => {
    const gateway = await startGateway();
    const device = await openDevice(gateway);
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    await device.open(`/s/${sessionId}`);
    const tabs = [device.page];
    while (tabs.length < TAB_COUNT) {
      const page = await device.context.newPage();
      await page.goto(`/s/${sessionId}`);
      tabs.push(page);
    }
    for (const page of tabs) await card(page, CARDS.questions).waitFor();
    const last = tabs.at(-1)!;
    const questions = card(last, CARDS.questions);
    await fillQuestions(device, questions);
    await device.press(button(questions, "Submit"));
    for (const page of tabs) await card(page, "Submitted").waitFor();
    await composer(last).fill("Thank you");
    await composer(last).press("Enter");
    await expect
      .poll(async () => (await new Api(gateway.url).events(sessionId)).map(({ type }) => type))
      .toContain("user_message");
  });
});

describe("A browser without a WebSocket connection to the gateway", () => {
  test("[R-16] shows requests and takes answers", async ({ gateway, openDevice }) => {
    const device = await openDevice(gateway);
    const { page } = device;
    await page.routeWebSocket(/\/api\/ws$/, (socket) => socket.close({ code: 1011 }));
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    await device.open(`/s/${sessionId}`);
    const questions = card(page, CARDS.questions);
    await fillQuestions(device, questions);
    await device.press(button(questions, "Submit"));
    await card(page, "Submitted").waitFor();
  });
});
