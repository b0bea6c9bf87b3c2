import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { say } from "@holdpoint/agents/testing";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { expectAccessible } from "./support/accessible.ts";
import { type ClaudeScene, test } from "./support/claude-scene.ts";
import { composer, conversation } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import type { OpenDevice } from "./support/test.ts";

const HOSTILE = '<img src=x onerror="top.owned=1"> \u202Eydit';

/** A session of Claude's in a folder with files, for a person with a custom command. */
async function openComposer(
  claude: ClaudeScene,
  openDevice: OpenDevice,
  options: Parameters<OpenDevice>[1] = {},
): Promise<{ device: Device; page: Page; gatewayUrl: string }> {
  const commands = join(claude.folder, ".claude-data/commands");
  await mkdir(commands, { recursive: true });
  const header = `description: '${HOSTILE}'\nargument-hint: <file>`;
  await writeFile(join(commands, "tidy.md"), `---\n${header}\n---\nTidy up $ARGUMENTS, please.`);
  await mkdir(join(claude.folder, "notes/old"), { recursive: true });
  await writeFile(join(claude.folder, "notes/today.md"), "HELIOTROPE");
  await writeFile(join(claude.folder, "notes/two words.md"), "MARIGOLD");
  await symlink("/etc", join(claude.folder, "notes/elsewhere"));
  claude.model.play(() => [say("So be it.")]);
  const gateway = await claude.start();
  const { sessionId } = await new Api(gateway.url).createSession({ agent: "claude" });
  const device = await openDevice(gateway.viaLine, options);
  await device.open(`/s/${sessionId}`);
  await composer(device.page).waitFor();
  return { device, page: device.page, gatewayUrl: gateway.url };
}

const options = (page: Page) => page.getByRole("listbox").getByRole("option");
/** The option that the field names as the active one. */
const active = (page: Page) =>
  composer(page).evaluate((field) => {
    const id = field.getAttribute("aria-activedescendant");
    return document.querySelector(`[id="${id}"]`)?.textContent ?? "";
  });

/** Whether the list is not cut off and nothing covers its first line. */
const isWholeInView = (page: Page) =>
  page.getByRole("listbox").evaluate((list) => {
    const { x, y, width, height } = list.getBoundingClientRect();
    return height > 60 && list.contains(document.elementFromPoint(x + width / 2, y + 8));
  });

describe("The commands of the real Claude", () => {
  test("are offered while a message begins with a slash, and can be chosen with the keyboard alone", async ({
    claude,
    openDevice,
  }) => {
    const { page } = await openComposer(claude, openDevice);
    const field = composer(page);
    await field.press("/");
    await page.getByRole("listbox", { name: "Commands of the agent" }).waitFor();
    await expect.poll(() => options(page).count()).toBeGreaterThan(10);
    await field.pressSequentially("co");
    await expect.poll(() => active(page)).toMatch(/^\/co/u);
    await expect.poll(() => isWholeInView(page)).toBe(true);
    await takePicture(page, "commands");
    await expectAccessible(page, "the commands");
    const first = await active(page);
    await field.press("ArrowDown");
    await expect.poll(() => active(page)).not.toBe(first);
    await field.press("ArrowUp");
    await expect.poll(() => active(page)).toBe(first);
    await field.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await field.pressSequentially("m");
    expect(await page.getByRole("listbox").count()).toBe(0);
    expect(await field.getAttribute("aria-activedescendant")).toBeNull();

    await field.fill("");
    await field.fill("/tid");
    await expect.poll(() => active(page)).toContain("/tidy <file>");
    // Shown as text, with hidden characters marked.
    expect(await page.getByRole("listbox").locator("img").count()).toBe(0);
    expect(await active(page)).toContain("onerror");
    expect(await page.evaluate(() => "owned" in globalThis)).toBe(false);
    await field.press("Enter");
    expect(await field.inputValue()).toBe("/tidy ");
    await field.pressSequentially("the shed");
    await field.press("Enter");
    await conversation(page).getByText("So be it.").waitFor();
    expect(claude.model.requests.at(-1)?.lastPrompt).toContain("Tidy up the shed, please.");
  });

  test("are sent by Enter once typed in full, and the demo agent has none", async ({
    claude,
    openDevice,
  }) => {
    const { device, page, gatewayUrl } = await openComposer(claude, openDevice);
    await composer(page).fill("/cost");
    await composer(page).fill("/context");
    await expect.poll(() => active(page)).toContain("/context");
    await composer(page).press("Enter");
    await conversation(page).getByText("You: /context").waitFor();
    const demo = await new Api(gatewayUrl).createSession({ agent: "demo" });
    await device.open(`/s/${demo.sessionId}`);
    const answered = page.waitForResponse(/\/commands$/u);
    await composer(page).fill("/co");
    expect((await (await answered).json()) as object).toEqual({ items: [] });
    expect(await page.getByRole("listbox").count()).toBe(0);
  });
});

describe("The files of a session", () => {
  test("are offered after an at sign, and Claude reads the chosen ones", async ({
    claude,
    openDevice,
  }) => {
    const { page } = await openComposer(claude, openDevice);
    const field = composer(page);
    await field.pressSequentially("Look at @NOTES");
    await page.getByRole("listbox", { name: "Files" }).waitFor();
    await expect
      .poll(() => options(page).allTextContents())
      .toEqual(["notes/", "notes/today.md", "notes/two words.md"]);
    await takePicture(page, "files");
    await field.press("Tab");
    await expect.poll(() => field.inputValue()).toBe("Look at @notes/");
    await field.pressSequentially("to");
    await expect.poll(() => options(page).allTextContents()).toEqual(["notes/today.md"]);
    await field.press("Enter");
    await field.pressSequentially("and @two");
    await expect.poll(() => active(page)).toBe("notes/two words.md");
    await field.press("Enter");
    expect(await field.inputValue()).toBe('Look at @notes/today.md and @"notes/two words.md" ');
    await field.press("Enter");
    await conversation(page).getByText("So be it.").waitFor();
    const sent = JSON.stringify(claude.model.requests.at(-1)?.body["messages"]);
    expect(sent).toContain("HELIOTROPE");
    expect(sent).toContain("MARIGOLD");
  });

  test("are chosen by touch on a phone, in the middle of a message", async ({
    claude,
    openDevice,
  }) => {
    const look = { screen: "phone", colorScheme: "dark" } as const;
    const { device, page } = await openComposer(claude, openDevice, look);
    const field = composer(page);
    await field.fill("Read  and say what it is.");
    await field.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(5, 5));
    await field.pressSequentially("@today");
    await options(page).first().waitFor();
    await takePicture(page, "files-phone");
    await device.press(options(page).first());
    await expect.poll(() => field.inputValue()).toBe("Read @notes/today.md and say what it is.");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

describe("The first message of a session", () => {
  test("is completed with the commands and files of the chosen agent and folder, with the keyboard alone", async ({
    claude,
    openDevice,
  }) => {
    const { device, page } = await openComposer(claude, openDevice);
    await device.open("/");
    const field = page.getByRole("textbox", { name: "First message" });
    await field.pressSequentially("/tid");
    await page.getByRole("listbox", { name: "Commands of the agent" }).waitFor();
    await expect.poll(() => active(page)).toContain("/tidy");
    await takePicture(page, "commands-home");
    await expectAccessible(page, "commands of the home page");
    await field.press("Enter");
    expect(await field.inputValue()).toBe("/tidy ");
    await field.pressSequentially("up @toda");
    await expect.poll(() => active(page)).toBe("notes/today.md");
    await field.press("Tab");
    expect(await field.inputValue()).toBe("/tidy up @notes/today.md ");
    // Another agent in the same folder has no commands.
    const agent = page.getByRole("combobox", { name: "Agent" });
    await agent.selectOption("demo");
    await field.fill("");
    const answered = page.waitForResponse(/\/agents\/demo\/commands/u);
    await field.pressSequentially("/tid");
    expect((await (await answered).json()) as object).toEqual({ items: [] });
    expect(await page.getByRole("listbox").count()).toBe(0);
    await agent.selectOption("claude");
    await field.fill("/tidy the shed");
    await field.press("Enter");
    await conversation(page).getByText("So be it.").waitFor();
    expect(claude.model.requests.at(-1)?.lastPrompt).toContain("Tidy up the shed, please.");
  });
});
