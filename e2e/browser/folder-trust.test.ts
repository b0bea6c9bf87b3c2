import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import { button, expectReady } from "./support/conversation.ts";
import { test as base } from "./support/test.ts";

/** A page that sends the code of a launch link to its own server. */
const THIEF = `<!doctype html><link rel="icon" href="data:,"><title>…</title><script type="module">
const code = location.hash.slice("#code=".length);
document.title = await (await fetch("/code", { method: "POST", body: code })).text();
</script>`;

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
const test = base
  .extend("folder", async ({ owned }) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-folder-")));
    owned.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend("write", async ({ folder }) => async (name: string, content: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  });
/* oxlint-enable no-empty-pattern */

const tool = (answer: string) =>
  `export default { name: "greet", description: "Says ${answer}.", handler: () => "${answer}" };\n`;

async function described(url: string): Promise<string[]> {
  const { body } = await new Api(url).call<{ items: { description: string }[] }>("GET", "/tools");
  return body.items.slice(1).map(({ description }) => description);
}

test("home names the folder the session works in, not the config file's folder", async ({
  write,
  folder,
  startGateway,
  openDevice,
}) => {
  await write("holdpoint.config.json", "{}");
  await write("work/README.md", "Here.");
  const work = join(folder, "work");
  const gateway = await startGateway({ cwd: folder, args: ["--cwd", work] });
  const device = await openDevice(gateway);
  const { page } = device;
  await device.open();
  const named = page.getByRole("combobox", { name: "Folder" });
  expect(await named.inputValue()).toBe(work);
  expect(await named.getByRole("option").allTextContents()).toEqual([work, "Another folder…"]);
  await page.getByRole("textbox", { name: "First message" }).fill("Look around");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/s\//u);
  const sessions = await new Api(gateway.url).call<{ items: { cwd: string }[] }>(
    "GET",
    "/sessions",
  );
  expect(sessions.body.items.map(({ cwd }) => cwd)).toEqual([work]);
});

describe("A directory that no one has trusted", () => {
  test("gets no launch link, and so no token", async ({
    write,
    folder,
    owned,
    startGateway,
    openDevice,
  }) => {
    let gatewayUrl = "";
    const trade = async (code: string): Promise<string> => {
      const { ok } = await fetch(`${gatewayUrl}/api/auth/exchange`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code, label: "Thief" }),
      });
      return ok ? "stolen" : "refused";
    };
    const thief = createServer((request, response) => {
      const answer = request.method === "GET" ? Promise.resolve(THIEF) : text(request).then(trade);
      response.setHeader("content-type", "text/html");
      void answer.then((body) => response.end(body));
    }).listen(0, "127.0.0.1");
    owned.defer(() => {
      thief.close().closeAllConnections();
    });
    await once(thief, "listening");
    const origin = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    await write(
      "holdpoint.config.json",
      JSON.stringify({ publicUrl: origin, embedOrigins: [origin] }),
    );
    const gateway = await startGateway({ cwd: folder });
    gatewayUrl = gateway.url;
    const { page } = await openDevice(gateway, { signedIn: false });
    await page.goto(gateway.launchUrl);
    await page.waitForFunction(() => document.title.length > 1);
    expect([new URL(page.url()).origin, await page.title()]).toEqual([gateway.url, "Holdpoint"]);
  });

  test("is shown on a page, and is loaded after a yes there", async ({
    write,
    folder,
    startGateway,
    openDevice,
  }) => {
    await write("holdpoint.config.json", `{"holdTimeoutMs": 60000}`);
    await write("tools/greet.mjs", `import { word } from "../lib/word.mjs";\n${tool("Hello")}`);
    await write("lib/word.mjs", `import "left-pad";\nexport const word = "a word";`);
    const gateway = await startGateway({ cwd: folder });
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await page.getByText("Nothing is loaded from").waitFor();
    await page.getByRole("link", { name: "Review the files" }).click();
    for (const shown of [folder, "holdpoint.config.json", "tools/greet.mjs", "lib/word.mjs"]) {
      await page.getByText(shown, { exact: true }).first().waitFor();
    }
    await page.getByText("holdTimeoutMs becomes 60000").waitFor();
    await page.getByText(/import packages.*left-pad/).waitFor();
    await page.getByText(`import { word } from "../lib/word.mjs";`).waitFor();
    await expectAccessible(page, "the files of a directory");
    await expectReflow(page, "the files of a directory");
    expect(await described(gateway.url)).toEqual([]);
    const yes = button(page, "Trust and load these files");
    await expectReady(yes);
    await yes.click();
    // "left-pad" is not installed: the page reports that, and lists the tool without a description.
    await page.getByText("could not be loaded").first().waitFor();
    await page
      .getByText(/Cannot find package 'left-pad'/)
      .first()
      .waitFor();
    await page.getByText("the next time the gateway starts: holdTimeoutMs").waitFor();
    expect(await described(gateway.url)).toEqual([undefined]);
  });

  test("with --watch, a change is offered on the open page, with the changed lines marked", async ({
    write,
    folder,
    startGateway,
    openDevice,
  }) => {
    await write("gateway.mjs", "export default {};");
    await write("tools/greet.mjs", tool("Hello"));
    const args = ["--config", "gateway.mjs", "--watch"];
    const gateway = await startGateway({ cwd: folder, args });
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await write("tools/greet.mjs", tool("Good day"));
    await page.getByRole("link", { name: "Review the files" }).click();
    await page.getByText("What has changed (3 lines)").waitFor();
    await page.getByText(`+ ${tool("Good day").trim()}`).waitFor();
    expect(await described(gateway.url)).toEqual(["Says Hello."]);
    const yes = button(page, "Trust and load these files");
    await expectReady(yes);
    await yes.click();
    await page.getByText("Everything in this directory").waitFor();
    expect(await described(gateway.url)).toEqual(["Says Good day."]);
  });

  test("cannot hide anything on that page: names and texts are marked, long files must be opened", async ({
    write,
    folder,
    startGateway,
    openDevice,
  }) => {
    const hidden = ["\u202e", "\u200b", "\u2066", "\ufeff", "\u0007", "\u00ad"];
    await write(
      `tools/a${hidden.join("")}<img src=x onerror=alert(1)>.mjs`,
      tool(`x${hidden.join("")}y`),
    );
    await write("tools/long.mjs", `${tool("long")}${"// nothing\n".repeat(300)}process.exit();`);
    const gateway = await startGateway({ cwd: folder });
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open("/folder");
    const first = page.getByRole("listitem").filter({ hasText: "onerror" });
    const marks = async (within: string) => first.locator(within).locator(".hp-mark").count();
    await first.locator("pre").waitFor();
    expect([await marks("h2"), await marks("pre")]).toEqual([hidden.length, 2 * hidden.length]);
    const yes = button(page, "Trust and load these files");
    await page.getByText("Open the long files first.").waitFor();
    await yes.click({ force: true });
    expect(await described(gateway.url)).toEqual([]);
    await page
      .getByRole("listitem")
      .filter({ hasText: "tools/long.mjs" })
      .getByText("The whole file")
      .click();
    await expectReady(yes);
    expect(await page.getByText("Open the long files first").count()).toBe(0);
  });
});
