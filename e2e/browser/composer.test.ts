import type { SessionList } from "@holdpoint/protocol";
import { describe, expect } from "vitest";

import { Api, until } from "../support/api.ts";
import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  expectFocus,
  openDemo,
  PROMPTS,
} from "./support/conversation.ts";
import { test, mainlyOn } from "./support/test.ts";

test("The first message starts a session from home with the keyboard alone, and a bad folder does not lose it", async ({
  startGateway,
  openDevice,
}) => {
  const gateway = await startGateway();
  const device = await openDevice(gateway);
  device.allowProblem(/status of 422/);
  const { page } = device;
  await device.open();
  const first = page.getByRole("textbox", { name: "First message" });
  await first.fill(PROMPTS.edit);
  await page.getByRole("combobox", { name: "Folder" }).selectOption("Another folder…");
  await page.keyboard.type("/no/such/folder");
  await first.press("Enter");
  await page.getByRole("alert").getByText("directory does not exist").waitFor();
  expect(await first.inputValue()).toBe(PROMPTS.edit);
  await page.reload();
  await first.press("Enter");
  await card(page, CARDS.checklist).waitFor();
  // The field disappeared with its page: the new page has the focus, and J works.
  await expectFocus(page.getByRole("main"));
  const { items } = (await new Api(gateway.url).call<SessionList>("GET", "/sessions")).body;
  expect(items.filter(({ title }) => title === PROMPTS.edit)).toHaveLength(1);
  await device.open();
  await expect.poll(() => first.inputValue()).toBe("");
});

describe("A message", () => {
  test.for(mainlyOn("phone"))(
    "typed while a turn runs is queued, and can be seen, changed and removed, on a %s",
    async (screen, { gateway, openDevice }) => {
      const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.edit, {
        screen,
      });
      await card(page, CARDS.checklist).waitFor();
      const queue = page.getByRole("region", { name: "Queued messages" });
      const send = async (text: string): Promise<void> => {
        await composer(page).fill(text);
        await page.getByText("Your message waits until this turn ends").waitFor();
        await device.press(button(page, "Queue"));
        await queue.getByText(text).waitFor();
        expect(await composer(page).inputValue()).toBe("");
      };
      await send("First the tests");
      await send("Then the docs");
      expect(await queue.getByRole("listitem").count()).toBe(2);
      await device.press(
        button(
          queue.getByRole("listitem").filter({ hasText: "First" }),
          "Remove this queued message",
        ),
      );
      await queue.getByText("First the tests").waitFor({ state: "detached" });
      await device.press(button(queue, "Edit this queued message"));
      await expect.poll(() => composer(page).inputValue()).toBe("Then the docs");
      await queue.waitFor({ state: "detached" });
      await device.press(button(page, "Queue"));
      await queue.getByText("Then the docs").waitFor();
      await page.reload();
      await queue.getByText("Then the docs").waitFor();

      await device.press(button(card(page, CARDS.checklist), "Deny"));
      await conversation(page).getByText("You: Then the docs").waitFor();
      await conversation(page).getByText("I understand only these sentences").waitFor();
      await queue.waitFor({ state: "detached" });
      const said = (await new Api(gateway.url).events(sessionId)).filter(
        ({ type }) => type === "user_message",
      );
      expect(said).toHaveLength(2);
    },
  );

  test.for(mainlyOn("desktop"))(
    "typed while one question waits becomes its answer when the person chooses that on a %s",
    async (screen, { gateway, openDevice }) => {
      const { device, page } = await openDemo(openDevice, gateway, PROMPTS.questions, { screen });
      await card(page, CARDS.questions).waitFor();
      await composer(page).fill("Whatever Ada says");
      // Enter does not decide between the two; it only moves to the choice.
      await composer(page).press("Enter");
      const choice = page.getByRole("group", { name: "How to send" });
      await button(choice, "Skip and send").waitFor();
      await device.press(button(choice, "Send as answer"));
      await card(page, "Submitted").getByText("“Whatever Ada says”").waitFor();
      await conversation(page).getByText("You answered the whole card").waitFor();
      expect(await composer(page).inputValue()).toBe("");
    },
  );

  test("typed while one question waits can skip the question and be sent", async ({
    gateway,
    openDevice,
  }) => {
    const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.questions);
    await card(page, CARDS.questions).waitFor();
    await composer(page).fill("Forget it, what can you do?");
    await device.press(button(page, "Skip and send"));
    await card(page, "Submitted").getByText("Skipped without an answer").waitFor();
    await conversation(page).getByText("You closed the card without an answer").waitFor();
    await conversation(page).getByText("You: Forget it, what can you do?").waitFor();
    await conversation(page).getByText("I understand only these sentences").waitFor();
    const api = new Api(gateway.url);
    await until(async () => (await api.session(sessionId)).status === "idle", "the end");
    expect(await api.interactions(sessionId, "pending")).toEqual([]);
  });
});
