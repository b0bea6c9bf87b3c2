import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { callTool, inOrder, say } from "@holdpoint/agents/testing";
import { expect } from "vitest";

import { Api } from "../support/api.ts";
import { test } from "./support/claude-scene.ts";
import { button, conversation, expectReady } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";

test("Line and card name the file that a person let the real Claude write instead of the requested one", async ({
  claude,
  openDevice,
}) => {
  const [asked, written] = ["notes.md", "minutes.md"].map((name) => join(claude.folder, name));
  claude.model.play(
    inOrder([
      [callTool("Write", { file_path: asked, content: "Tea at five.\n" })],
      [say("So it is written.")],
    ]),
  );
  const gateway = await claude.start();
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "claude", cwd: claude.folder });
  await api.send(sessionId, "Write down when tea is.");
  const { page, ...device } = await openDevice(gateway.viaLine);
  await device.open(`/s/${sessionId}`);
  const card = conversation(page).getByRole("article");
  await device.press(button(card, "Edit"));
  await device.press(button(card, "Edit as JSON"));
  const editor = card.getByRole("textbox", { name: "New input, as JSON" });
  await editor.fill(JSON.stringify({ file_path: written, content: "Tea at five.\n" }));
  await expectReady(button(card, "Allow edited"));
  await device.press(button(card, "Allow edited"));
  await conversation(page).getByText("So it is written.").waitFor();
  expect(await readFile(written!, "utf8")).toBe("Tea at five.\n");
  await expect(readFile(asked!)).rejects.toThrow("ENOENT");
  const line = conversation(page).locator(".hp-tool-line");
  for (const place of [line, card]) {
    expect(await place.innerText()).toContain("minutes.md");
    expect(await place.innerText()).not.toContain("notes.md");
  }
  await takePicture(page, "edited path");
  // The details show the original request.
  await device.press(card.locator(".hp-done-summary"));
  await expect.poll(() => card.innerText()).toContain("notes.md");
  await expect.poll(() => card.innerText()).toContain("Edited before it was allowed");
});
