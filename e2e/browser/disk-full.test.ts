import type { QueuedMessage } from "@holdpoint/protocol";
import { describe, expect } from "vitest";

import { pending } from "../support/api.ts";
import { startOnSmallDisk } from "../support/small-disk.ts";
import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  expectInView,
  expectReady,
  fillQuestions,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { chipNames, chips, give, text } from "./support/files.ts";
import { takePicture } from "./support/pictures.ts";
import { type OpenDevice, test } from "./support/test.ts";

/** More than fits into the free pages of the database. */
const LONG = "and tell me what she says. ".repeat(300).trim();
interface QueueBody {
  readonly items: readonly QueuedMessage[];
}
const SECRET = "d00r-4711";

/** A device that shows a session whose gateway is on a disk that can be filled. */
async function openSmallDisk(
  { owned, openDevice }: { owned: AsyncDisposableStack; openDevice: OpenDevice },
  prompt: string,
) {
  const gateway = owned.use(await startOnSmallDisk());
  const device = await openDevice(gateway);
  const sessionId = await startDemo(gateway, prompt);
  await pending(gateway.api, sessionId);
  await device.open(`/s/${sessionId}`);
  return { gateway, device, page: device.page, sessionId };
}

describe("When the disk is full", () => {
  test("[R-2] an answer and a message are refused, the typed text stays, and both go through once there is room", async ({
    owned,
    openDevice,
  }) => {
    const scene = await openSmallDisk({ owned, openDevice }, PROMPTS.questions);
    const { gateway, device, page, sessionId } = scene;
    device.allowProblem(/status of 503/);
    const questions = card(page, CARDS.questions);
    await fillQuestions(device, questions, `Ask Ada ${LONG}`);
    const message = `And then? ${LONG}`;
    await composer(page).fill(message);
    gateway.fill();

    await device.press(button(questions, "Submit"));
    await questions.getByText("Not sent").waitFor();
    await questions.getByText("Your answer is kept here.").waitFor();
    await device.press(button(page, "Send as answer"));
    await page.getByRole("alert").getByText("Your text is kept.").waitFor();
    await takePicture(page, "disk full");
    // The text survives a reload, since a draft needs no room at the gateway.
    await page.reload();
    await questions.getByText("“Ask Ada and tell").waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe(message);
    expect(await gateway.api.interactions(sessionId, "pending")).toHaveLength(1);

    gateway.makeRoom();
    await device.press(button(questions, "Submit"));
    await card(page, "Submitted").getByText("Delivered to the agent").waitFor();
    await composer(page).press("Enter");
    const queue = page.getByRole("region", { name: "Queued messages" });
    // On a busy machine the turn may have ended.
    const sent = queue.getByText("And then?").or(conversation(page).getByText("And then?"));
    await sent.first().waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("");
    const log = await gateway.api.events(sessionId);
    expect(log.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
  });

  test("[R-2] [R-19] the values of a form are refused, stay as they were typed, and go through once with the same press", async ({
    owned,
    openDevice,
  }) => {
    const scene = await openSmallDisk({ owned, openDevice }, "Ask me with a form");
    const { gateway, device, page, sessionId } = scene;
    device.allowProblem(/status of 503/);
    const codes: unknown[] = [];
    page.on("response", async (response) => {
      if (response.status() === 503) codes.push(((await response.json()) as { code: string }).code);
    });
    const form = card(page, "Plan the release party");
    const texts = { Host: "Ada", "Page about it": `https://example.com/${"party-".repeat(1500)}` };
    for (const [label, text] of Object.entries(texts)) await form.getByLabel(label).fill(text);
    await device.press(form.getByText("In the park"));
    const secret = form.getByRole("textbox", { name: "Door code" });
    await secret.fill(SECRET);
    const expectKept = async (): Promise<void> => {
      for (const [label, text] of Object.entries(texts)) {
        expect(await form.getByLabel(label).inputValue()).toBe(text);
      }
      expect(await form.getByRole("radio", { name: "In the park" }).isChecked()).toBe(true);
    };
    gateway.fill();

    for (let press = 0; press < 2; press += 1) {
      await expectReady(button(form, "Submit"));
      await device.press(button(form, "Submit"));
      await form.getByText("Not sent").waitFor();
    }
    expect(new Set(codes)).toEqual(new Set(["STORE_UNAVAILABLE"]));
    await expectInView(form.getByText("its disk may be full"));
    await expectKept();
    expect(await secret.inputValue()).toBe(SECRET);
    await takePicture(page, "disk full form");
    expect(await gateway.api.interactions(sessionId, "pending")).toHaveLength(1);

    gateway.makeRoom();
    await device.press(button(form, "Submit"));
    await card(page, "Submitted").getByText("Delivered to the agent").waitFor();
    const log = await gateway.api.events(sessionId);
    const responses = log.filter(({ type }) => type === "interaction_response");
    expect(responses).toMatchObject([{ values: { host: "Ada", place: "park" } }]);
    expect(JSON.stringify(log)).not.toContain(SECRET);
  });

  test("[R-2] a file is refused, stays with the typed text, and is sent with it once there is room", async ({
    owned,
    openDevice,
  }) => {
    const scene = await openSmallDisk({ owned, openDevice }, PROMPTS.edit);
    const { gateway, device, page, sessionId } = scene;
    device.allowProblem(/status of 503/);
    await button(page, "Attach images or files").waitFor();
    await composer(page).fill("And this?");
    gateway.fill();
    await give(page, "paste", [text("notes.txt", "Tea. ".repeat(20_000))]);
    const notes = chips(page).filter({ hasText: "notes.txt" });
    await notes.getByText("The gateway could not store this").waitFor();
    const wayOut = page.locator(".hp-hint").getByText("Its disk may be full");
    await expectInView(wayOut);
    const { y: fieldTop = 0 } = (await composer(page).boundingBox()) ?? {};
    const { y = Infinity, height = 0 } = (await wayOut.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(fieldTop);
    await button(page, "Try again: notes.txt").click();
    await notes.getByText("The gateway could not store this").waitFor();
    await takePicture(page, "disk full file");
    await composer(page).press("Enter");
    expect(await composer(page).inputValue()).toBe("And this?");

    gateway.makeRoom();
    await button(page, "Try again: notes.txt").click();
    await expect.poll(() => chipNames(page)).toEqual(["notes.txt"]);
    expect(await wayOut.count()).toBe(0);
    await composer(page).press("Enter");
    const queue = page.getByRole("region", { name: "Queued messages" });
    await queue.getByText("notes.txt").waitFor();
    const { body } = await gateway.api.call<QueueBody>("GET", `/sessions/${sessionId}/queue`);
    expect(body.items).toMatchObject([
      { content: "And this?", attachments: [{ name: "notes.txt" }] },
    ]);
  });

  test("[R-2] a half-filled form is kept without its secret values", async ({
    owned,
    openDevice,
  }) => {
    const scene = await openSmallDisk({ owned, openDevice }, "Ask me with a form");
    const { gateway, device, page } = scene;
    const form = card(page, "Plan the release party");
    gateway.fill();
    await form.getByLabel("Host").fill("Ada");
    await form.getByRole("textbox", { name: "Door code" }).fill(SECRET);
    await expectReady(button(form, "Submit"));
    await device.press(button(form, "Submit"));
    await form.getByRole("group", { name: "Fields to fix" }).waitFor();
    await page.reload();
    await expect.poll(() => form.getByLabel("Host").inputValue()).toBe("Ada");
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain(SECRET);
  });
});
