import { crc32, deflateSync } from "node:zlib";

import { say, stall } from "@holdpoint/agents/testing";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import { expectAccessible } from "./support/accessible.ts";
import { NETWORK_TROUBLE } from "./support/behind-line.ts";
import { test } from "./support/claude-scene.ts";
import { button, composer, conversation } from "./support/conversation.ts";
import { chipNames, chips, give, type Given, text } from "./support/files.ts";
import { takePicture } from "./support/pictures.ts";

const HTML = "<!doctype html><img src=x onerror='top.owned=1'><script>top.owned=1</script>";

/** A picture in one colour. */
function pngOf(width: number, height: number): Buffer {
  const part = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  const rows = Buffer.alloc((width * 3 + 1) * height, 0x60);
  for (let row = 0; row < height; row += 1) rows[row * (width * 3 + 1)] = 0;
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    part("IHDR", head),
    part("IDAT", deflateSync(rows)),
    part("IEND", Buffer.alloc(0)),
  ]);
}

const png = (name: string, width = 300, height = 200): Given => ({
  name,
  data: pngOf(width, height).toString("base64"),
  type: "image/png",
});
const images = (page: Page): Locator => conversation(page).locator("img");
const isDrawn = (image: Locator): Promise<boolean> =>
  image.evaluate((element) => (element as HTMLImageElement).naturalWidth > 0);

interface Block {
  readonly type: string;
  readonly title?: string;
  readonly text?: string;
  readonly source?: { readonly type: string; readonly media_type: string; readonly data: string };
}

describe("Images and files for the real Claude", () => {
  test("are pasted, dropped, kept over a reload, sent, seen by a late joiner and opened", async ({
    claude,
    openDevice,
  }) => {
    claude.model.play(() => [say("So be it.")]);
    const gateway = await claude.start();
    const { sessionId } = await new Api(gateway.url).createSession({ agent: "claude" });
    const { page, ...device } = await openDevice(gateway.viaLine);
    const open = (path: string) => page.goto(new URL(path, page.url()).href);
    await device.open(`/s/${sessionId}`);
    await button(page, "Attach images or files").waitFor();
    await give(page, "paste", [png("screen.png")]);
    await give(page, "drop", [text("../@secret.txt", "See @secret.txt"), text("evil.png", HTML)]);
    await give(page, "drop", [{ name: "run.exe", data: "TVoA" }]);
    await expect.poll(() => chips(page).count()).toBe(3);
    await page.getByRole("listitem").filter({ hasText: "run.exe: only PNG" }).waitFor();
    await composer(page).fill("What is this?");
    await takePicture(page, "attachments in the composer");
    await expectAccessible(page, "the composer with files");
    await expect.poll(() => chipNames(page)).toEqual(["screen.png", "@secret.txt", "evil.png"]);

    await open(`/s/${sessionId}`);
    await expect.poll(() => chipNames(page)).toEqual(["screen.png", "@secret.txt", "evil.png"]);
    expect(await composer(page).inputValue()).toBe("What is this?");
    await composer(page).press("Enter");
    await conversation(page).getByText("So be it.").waitFor();
    expect(await chips(page).count()).toBe(0);
    await expect.poll(() => isDrawn(images(page))).toBe(true);
    await takePicture(page, "attachments in the conversation");
    await expectAccessible(page, "the conversation with files");

    const messages = claude.model.requests.at(-1)?.body["messages"] as { content: Block[] }[];
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const [image] = blocks.filter(({ type }) => type === "image");
    expect(image?.source).toMatchObject({ type: "base64", media_type: "image/png" });
    const documents = blocks.filter(({ type }) => type === "document");
    expect(documents).toMatchObject([
      { title: String.raw`\@secret.txt`, source: { type: "text", data: "See @secret.txt" } },
      { title: "evil.png", source: { type: "text", data: HTML } },
    ]);

    const other = await openDevice(gateway.viaLine, { screen: "phone" });
    await other.open(`/s/${sessionId}`);
    await expect.poll(() => isDrawn(images(other.page))).toBe(true);
    await takePicture(other.page, "attachments on a phone");
    await button(other.page, "Open screen.png").click();
    await other.page.getByRole("dialog", { name: "screen.png" }).waitFor();
    await takePicture(other.page, "an image that is open");
    await other.page.keyboard.press("Escape");
    await other.page.getByRole("dialog").waitFor({ state: "detached" });
    await other.page.getByRole("button", { name: /^evil\.png/u }).click();
    await other.page.getByRole("dialog").getByText("<!doctype html>").waitFor();
    const download = other.page.waitForEvent("download");
    await button(other.page, "Download").click();
    expect((await download).suggestedFilename()).toBe("evil.png");
    expect(await other.page.evaluate(() => "owned" in globalThis)).toBe(false);
  });

  test("wait with their message, return to the composer on Stop, and can start a session from the start page", async ({
    claude,
    openDevice,
  }) => {
    claude.model.play(() => stall([say("Working on it.")]));
    const gateway = await claude.start();
    const { page, ...device } = await openDevice(gateway.viaLine);
    await device.open("/");
    await button(page, "Attach images or files").waitFor();
    await give(page, "paste", [png("first.png")]);
    await expect.poll(() => chips(page).count()).toBe(1);
    await takePicture(page, "attachments on the start page");
    await button(page, "Start").click();
    await expect.poll(() => isDrawn(images(page))).toBe(true);
    await conversation(page).getByText("Working on it.").waitFor();

    await give(page, "paste", [png("second.png", 20, 30)]);
    await expect.poll(() => chipNames(page)).toEqual(["second.png"]);
    await composer(page).fill("And this?");
    await composer(page).press("Enter");
    const queue = page.getByRole("region", { name: "Queued messages" });
    await queue.getByText("second.png").waitFor();
    expect(await chips(page).count()).toBe(0);
    await takePicture(page, "attachments in the queue");
    await button(page, "Stop").click();
    await queue.waitFor({ state: "detached" });
    await expect.poll(() => chipNames(page)).toEqual(["second.png"]);
    expect(await composer(page).inputValue()).toBe("And this?");
    await button(page, "Remove second.png").click();
    expect(await chips(page).count()).toBe(0);
    expect(await composer(page).inputValue()).toBe("And this?");
  });
});

test("[R-8] Text and files survive a gateway killed in mid-upload and again before the message is sent, and are sent once", async ({
  startBehindLine,
  dataDir,
  openDevice,
}) => {
  const first = await startBehindLine({ dataDir });
  const api = new Api(first.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  const { page, ...device } = await openDevice(first.viaLine);
  device.allowProblem(NETWORK_TROUBLE);
  await device.open(`/s/${sessionId}`);
  await button(page, "Attach images or files").waitFor();
  await composer(page).fill("What is this?");
  await give(page, "paste", [png("screen.png")]);
  await expect.poll(() => chipNames(page)).toEqual(["screen.png"]);
  process.kill(first.pid, "SIGSTOP");
  await give(page, "drop", [text("notes.txt", "Tea. ".repeat(50_000))]);
  const notes = chips(page).filter({ hasText: "notes.txt" });
  await notes.getByText("Uploading…").waitFor();
  await first.stop("SIGKILL");
  await notes.getByText("Waiting for the gateway…").waitFor();
  await page.locator(".hp-hint").getByText("This is retried automatically.").waitFor();
  // The message is not sent without all of its files.
  await composer(page).press("Enter");
  expect(await composer(page).inputValue()).toBe("What is this?");

  const second = await startBehindLine({ dataDir });
  await page.getByText("Offline.").waitFor({ state: "detached" });
  await expect.poll(() => chipNames(page)).toEqual(["screen.png", "notes.txt"]);
  await second.stop("SIGKILL");
  await composer(page).press("Enter");
  await page.getByRole("alert").getByText("Your text is kept.").waitFor();
  expect(await chipNames(page)).toEqual(["screen.png", "notes.txt"]);
  expect(await composer(page).inputValue()).toBe("What is this?");

  const third = await startBehindLine({ dataDir });
  await composer(page).press("Enter");
  await conversation(page).getByText("You: What is this?").waitFor();
  await expect.poll(() => chips(page).count()).toBe(0);
  expect(await composer(page).inputValue()).toBe("");
  const said = (await new Api(third.url).events(sessionId)).filter(
    ({ type }) => type === "user_message",
  );
  expect(said).toMatchObject([
    { content: "What is this?", attachments: [{ name: "screen.png" }, { name: "notes.txt" }] },
  ]);
});

test("A page that is reloaded in mid-upload names the lost file and keeps the text and the other files", async ({
  startBehindLine,
  dataDir,
  openDevice,
}) => {
  const gateway = await startBehindLine({ dataDir });
  const { sessionId } = await new Api(gateway.url).createSession({ agent: "demo" });
  const { page, ...device } = await openDevice(gateway.viaLine);
  await device.open(`/s/${sessionId}`);
  await button(page, "Attach images or files").waitFor();
  await composer(page).fill("What is this?");
  await give(page, "paste", [png("screen.png")]);
  await expect.poll(() => chipNames(page)).toEqual(["screen.png"]);
  // This upload does not finish before the page is gone.
  const notes = text("notes.txt", "Tea. ".repeat(50_000));
  await page.route("**/attachments", () => undefined);
  await give(page, "drop", [notes]);
  await chips(page).filter({ hasText: "notes.txt" }).getByText("Uploading…").waitFor();
  await page.reload();
  await page.unroute("**/attachments");
  const lost = page.getByText(/^notes\.txt was not uploaded before the page was reloaded/u);
  await lost.first().waitFor();
  await takePicture(page, "lost file");
  expect(await chipNames(page)).toEqual(["screen.png"]);
  expect(await composer(page).inputValue()).toBe("What is this?");
  await give(page, "drop", [notes]);
  await expect.poll(() => chipNames(page)).toEqual(["screen.png", "notes.txt"]);
  expect(await lost.count()).toBe(0);
});
