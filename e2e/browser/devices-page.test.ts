import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import type { Device } from "../support/browser.ts";
import { timeHere } from "../support/time-here.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import { button, expectFocus, PROMPTS } from "./support/conversation.ts";
import { test, mainlyOn } from "./support/test.ts";

/** Browser errors after a sign-out. The page may be reconnecting at that moment. */
const SIGNED_OUT = /401|WebSocket is closed before the connection is established/;

/** Signs in with the link that the gateway printed at startup, and goes to the page. */
async function openPage(device: Device, launchUrl: string): Promise<void> {
  const { page, screen } = device;
  await page.goto(launchUrl);
  await button(page, PROMPTS.tour).waitFor();
  if (screen === "phone") {
    const views = page.getByRole("navigation", { name: "Views" });
    await device.press(views.getByRole("button", { name: "Sessions" }));
  }
  await device.press(page.getByRole("link", { name: "Devices and programs" }));
  await page.getByRole("heading", { name: "Devices", exact: true }).waitFor();
}

function list(page: Page, name: string) {
  return page.getByRole("region", { name }).getByRole("listitem");
}

function look(page: Page, where: string, screen: string): Promise<void> {
  return expectAccessible(page, where).then(() =>
    screen === "phone" ? expectReflow(page, where) : undefined,
  );
}

describe("Devices and programs", () => {
  test.for(mainlyOn("desktop"))(
    "a code signs in another device, which is listed, renamed, and cut off within a second of its revocation, on a %s",
    async (screen, { startGateway, openDevice }) => {
      const gateway = await startGateway();
      const device = await openDevice(gateway, { screen, signedIn: false });
      const { page } = device;
      await openPage(device, gateway.launchUrl);
      await expect.poll(() => page.title()).toBe("Devices and programs · Holdpoint");
      await list(page, "Devices").getByText("This device").waitFor();
      await look(page, "one device", screen);
      await device.press(button(page, "Add a device"));
      const adding = page.getByRole("dialog", { name: "Add a device" });
      const code = await adding.getByRole("status").innerText();
      expect(code).toMatch(/^[34679ACDEFGHJKMNPRTWXY]{3}(-[34679ACDEFGHJKMNPRTWXY]{3}){2}$/);
      await look(page, "a code", screen);
      await device.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await device.press(adding.getByRole("button", { name: "Copy link" }));
      const link = await page.evaluate(() => navigator.clipboard.readText());
      const { hash } = new URL(gateway.launchUrl);
      expect(link).toBe(`${gateway.url}/#code=${code}${hash.slice(hash.indexOf("&gateway="))}`);

      const other = await openDevice(gateway, { signedIn: false });
      other.allowProblem(SIGNED_OUT);
      const closed = Promise.withResolvers<number>();
      other.page.on("websocket", (socket) => {
        socket.on("close", () => closed.resolve(performance.now()));
      });
      await other.open();
      await other.press(other.page.getByRole("link", { name: "Enter a code" }));
      const field = other.page.getByRole("textbox", { name: "Code" });
      await field.waitFor();
      await look(other.page, "entering a code", other.screen);
      await field.fill("3KA");
      await other.press(button(other.page, "Sign in"));
      await other.page.getByText("Enter all nine letters and digits of the code.").waitFor();
      await field.fill(` ${code.toLowerCase().replaceAll("-", " ")}`);
      await other.press(button(other.page, "Sign in"));
      await button(other.page, PROMPTS.tour).waitFor();
      expect(other.page.url()).not.toContain("code");

      await adding.getByText(/is signed in/).waitFor();
      await device.press(button(adding, "Done"));
      const added = list(page, "Devices").filter({ hasNotText: "This device" });
      await device.press(added.getByRole("button", { name: /^Rename/ }));
      const name = page.getByRole("textbox", { name: "Device name" });
      await name.fill("Kitchen tablet");
      await name.press("Enter");
      await added.getByText("Kitchen tablet").waitFor();
      await look(page, "two devices", screen);

      await device.press(button(page, "Sign out Kitchen tablet"));
      const asked = page.getByRole("dialog", { name: "Sign out this other device?" });
      await look(page, "signing out", screen);
      const revoked = page.waitForResponse((answer) => answer.request().method() === "DELETE");
      await device.press(button(asked, "Sign out"));
      await revoked;
      const revokedAt = performance.now();
      expect((await closed.promise) - revokedAt).toBeLessThan(timeHere(1000));
      await asked.waitFor({ state: "detached" });
      await other.page.getByRole("heading", { name: "This browser was signed out" }).waitFor();
      await added.waitFor({ state: "detached" });
    },
  );

  test("a program and an agent get tokens that are shown once and can be revoked", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const device = await openDevice(gateway, { signedIn: false });
    const { page } = device;
    await openPage(device, gateway.launchUrl);
    await page.getByText("No program has a token.").waitFor();
    await device.press(button(page, "Add a program"));
    const dialog = page.getByRole("dialog");
    await device.press(button(dialog, "Create token"));
    await dialog.getByText("Enter a name.").waitFor();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Nightly job");
    await dialog.getByRole("combobox", { name: "Access" }).selectOption("read");
    await look(page, "a new program", device.screen);
    await device.press(button(dialog, "Create token"));
    const token = await dialog.getByText(/^[\w-]{43}$/).innerText();
    await look(page, "a program's token", device.screen);
    const status = async (method: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = method === "POST" ? { body: JSON.stringify({ agent: "demo" }) } : {};
      return (await fetch(`${gateway.url}/api/sessions`, { method, headers, ...body })).status;
    };
    expect([await status("GET"), await status("POST")]).toEqual([200, 403]);
    await device.press(button(dialog, "Done"));
    await list(page, "Programs").getByText("Only reads").waitFor();
    expect(await page.locator("body").innerText()).not.toContain(token);

    await device.press(button(page, "Add an agent"));
    const agentName = dialog.getByRole("textbox", { name: "Name" });
    await agentName.fill("Hоldpoint"); // with a Cyrillic letter
    device.allowProblem(/422/);
    await device.press(button(dialog, "Create token"));
    await dialog.getByText("An agent cannot have the same name as the gateway").waitFor();
    await agentName.fill("Codex");
    await device.press(button(dialog, "Create token"));
    await dialog.getByText(/^claude mcp add/).waitFor();
    await device.press(button(dialog, "Done"));
    await list(page, "Agents").getByText("Agent “Codex”").waitFor();
    await look(page, "a program and an agent", device.screen);

    await device.press(button(page, "Revoke Nightly job"));
    await device.press(button(page.getByRole("dialog"), "Revoke"));
    await page.getByText("No program has a token.").waitFor();
    expect(await status("GET")).toBe(401);
    await device.press(button(page, "Revoke agent “Codex”"));
    await device.press(button(page.getByRole("dialog"), "Revoke"));
    await page.getByText("No agent has a token.").waitFor();
  });

  test("this device can be signed out with the keyboard alone", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const device = await openDevice(gateway, { signedIn: false });
    device.allowProblem(SIGNED_OUT);
    const { page } = device;
    await openPage(device, gateway.launchUrl);
    const signOut = page.getByRole("button", { name: /^Sign out/ });
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await signOut.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    await expectFocus(signOut);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Sign out this device?" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocus(signOut);
    await page.keyboard.press("Enter");
    await expectFocus(dialog);
    await page.keyboard.press("Tab");
    await expectFocus(button(dialog, "Sign out"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This browser was signed out" }).waitFor();
  });
});
