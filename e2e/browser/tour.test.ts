import { readFile } from "node:fs/promises";

import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import {
  button,
  card,
  CARDS,
  conversation,
  endTour,
  expectInView,
  expectReady,
  fillQuestions,
  heard,
  PROMPTS,
} from "./support/conversation.ts";
import { mainlyOn, test } from "./support/test.ts";

describe("From the launch link to the end of the tour", () => {
  test.for(mainlyOn("phone"))(
    "a person gets through on a %s",
    async (screen, { startGateway, openDevice }) => {
      const gateway = await startGateway();
      const device = await openDevice(gateway, { screen, signedIn: false });
      const { page } = device;
      await page.goto(gateway.launchUrl);
      await device.press(button(page, PROMPTS.tour));
      expect(page.url()).not.toContain("code");
      expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(3);

      const questions = card(page, CARDS.questions);
      await expectInView(questions);
      expect(await questions.getByRole("radio", { checked: true }).count()).toBe(0);
      await questions.getByRole("figure", { name: "Preview · Headline" }).waitFor();
      await fillQuestions(device, questions);
      await device.press(button(questions, "Submit"));
      const answered = card(page, "Submitted");
      for (const value of ["Plain list", "Unit tests", "“Ask Ada”", "you, on this device"]) {
        await answered.getByText(value).first().waitFor();
      }

      const notes = card(page, CARDS.notes);
      await expectInView(notes);
      await notes.getByRole("figure", { name: /release-notes\.md/ }).waitFor();
      await notes.getByText("added: - [ ] Ask Ada").waitFor();
      await expectReady(button(notes, "Allow once"));
      await device.press(button(notes, "Allow once"));

      const checklist = card(page, CARDS.checklist);
      await expectInView(checklist);
      await expectReady(button(checklist, "Allow once"));
      await device.press(button(checklist, "Allow once"));

      await endTour(device);
      await button(page, "Stop").waitFor({ state: "detached" });

      const sessionId = new URL(page.url()).pathname.replace("/s/", "");
      const settled = await new Api(gateway.url).interactions(sessionId, "delivered");
      const written = settled.find((one) => one.approval?.change?.path.endsWith("notes.md"));
      const file = await readFile(written?.approval?.change?.path ?? "", "utf8");
      expect(file).toBe(written?.approval?.change?.after);

      await page.reload();
      await conversation(page).getByText("reload the page while I wait").waitFor();

      const stranger = await openDevice(gateway, { screen, signedIn: false });
      stranger.allowProblem(/401/);
      await stranger.page.goto(gateway.launchUrl);
      await stranger.page
        .getByRole("heading", { name: "This link or code has expired or was already used" })
        .waitFor();
      expect(stranger.page.url()).toBe(`${gateway.url}/`);
      expect(await heard(stranger.page.getByRole("main"))).not.toContain("Unauthorized");
    },
  );
});
