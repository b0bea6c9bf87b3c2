import type { Page } from "playwright-core";
import { expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { startGateway, TOKEN } from "../support/gateway-process.ts";
import { button, composer, PROMPTS } from "./support/conversation.ts";
import { openElementPage } from "./support/element-page.ts";
import { test } from "./support/test.ts";

type Way = "beside" | "replace" | "wrap";

/**
 * Changes every text from now on, also in shadow roots, as a browser's translation or an extension does. It ignores
 * all marks.
 */
async function translate(page: Page, way: Way): Promise<void> {
  await page.evaluate((way) => {
    const made = new WeakSet<Node>();
    const change = (text: Text): void => {
      if (made.has(text) || text.data.trim() === "") return;
      if (/^(?:SCRIPT|STYLE|TEXTAREA)$/u.test(text.parentElement?.tagName ?? "")) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      const words = way === "wrap" ? text : document.createTextNode(text.data);
      made.add(words);
      outer.append(inner);
      if (way === "beside") text.parentNode?.insertBefore(outer, text);
      else text.parentNode?.replaceChild(outer, text);
      if (way === "beside") text.remove();
      inner.append(words);
    };
    const walk = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(change);
    };
    const begin = (root: Node): void => {
      walk(root);
      new MutationObserver((records) => {
        for (const { addedNodes } of records) addedNodes.forEach(walk);
      }).observe(root, { childList: true, subtree: true });
    };
    begin(document.body);
    const shadow = document.querySelector("holdpoint-session")?.shadowRoot;
    if (shadow) begin(shadow);
  }, way);
}

test("a page whose texts a translator replaces, against its marks, still shows requests and takes answers", async ({
  gateway,
  openDevice,
}) => {
  const device = await openDevice(gateway);
  const { page } = device;
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await device.open(`/s/${sessionId}`);
  expect(await page.locator("html").getAttribute("translate")).toBe("no");
  expect(await page.locator("meta[name=google]").getAttribute("content")).toBe("notranslate");
  for (const way of ["replace", "wrap", "beside"] as const) {
    await composer(page).waitFor();
    await translate(page, way);
    await composer(page).fill(PROMPTS.questions);
    await page.keyboard.press("Enter");
    const { interactionId } = await pending(api, sessionId);
    const questions = page.locator(`article[data-interaction-id="${interactionId}"]`).first();
    await button(questions, "Skip all").click();
    await button(page, "Skip all").waitFor({ state: "detached" });
    await page.reload();
  }
  await api.send(sessionId, PROMPTS.edit);
  const { interactionId } = await pending(api, sessionId);
  await device.open(`/i/${interactionId}`);
  await button(page, "Deny").waitFor();
  await translate(page, "replace");
  await button(page, "Deny").click();
  await page.getByText("Denied").first().waitFor();
  expect(await page.getByText("stopped working").count()).toBe(0);
});

test("an embedded conversation on a translated page takes the answer, and the page's own nodes work as usual", async ({
  openDevice,
  owned,
}) => {
  const plain = owned.use(await openElementPage());
  const gateway = owned.use(
    await startGateway({ args: ["--agent", "demo", "--embed-origin", plain.url] }),
  );
  await plain.write(gateway.url);
  const { sessionId } = await new Api(gateway.url).createSession({ agent: "demo" });
  const device = await openDevice(plain, { signedIn: false });
  const { page } = device;
  await device.open();
  await page
    .locator("holdpoint-session")
    .evaluate(
      (node, [id, token]) => Object.assign(node, { token }).setAttribute("session", id ?? ""),
      [sessionId, TOKEN],
    );
  await composer(page).waitFor();
  await translate(page, "replace");
  await composer(page).fill(PROMPTS.edit);
  await page.keyboard.press("Enter");
  const deny = button(page, "Deny").first();
  await deny.waitFor();
  expect(await deny.locator("xpath=ancestor::*[@translate='no']").count()).toBeGreaterThan(0);
  await deny.click();
  await deny.waitFor({ state: "detached" });
  const thrown = await page.evaluate(() => {
    try {
      document.body.removeChild(document.createElement("b"));
      return "nothing";
    } catch (error: unknown) {
      return (error as Error).name;
    }
  });
  expect(thrown).toBe("NotFoundError");
});
