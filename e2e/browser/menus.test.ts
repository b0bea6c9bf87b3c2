import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import { button, expectFocus } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { test, mainlyOn } from "./support/test.ts";

describe("The actions of a session", () => {
  test("are one Tab stop: arrows and letters choose, Escape closes, and the page's own keys do nothing", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "demo", title: "Invoices" });
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${sessionId}`);
    const actions = button(page, "Actions for Invoices");
    await actions.focus();
    await page.keyboard.press("Enter");
    const menu = page.getByRole("menu", { name: "Actions for Invoices" });
    await expectFocus(menu.getByRole("menuitem", { name: "Rename" }));
    await takePicture(page, "menu");
    await page.keyboard.press("ArrowDown");
    await expectFocus(menu.getByRole("menuitem", { name: "Archive" }));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expectFocus(menu.getByRole("menuitem", { name: "Delete" }));
    await page.keyboard.press("ArrowDown");
    await expectFocus(menu.getByRole("menuitem", { name: "Rename" }));
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("d");
    await expectFocus(menu.getByRole("menuitem", { name: "Delete" }));
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await expectFocus(actions);

    await page.keyboard.press("Enter");
    await expectFocus(menu.getByRole("menuitem", { name: "Rename" }));
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Session name" });
    await expectFocus(field);
    await page.keyboard.type("Bills");
    await page.keyboard.press("Enter");
    await button(page, "Actions for Bills").waitFor({ state: "attached" });
  });

  test.for(mainlyOn("phone"))(
    "open on a press on a %s, and a press outside closes them and does nothing else",
    async (screen, { startGateway, openDevice }) => {
      const gateway = await startGateway();
      const api = new Api(gateway.url);
      const { sessionId } = await api.createSession({ agent: "demo", title: `On a ${screen}` });
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open(`/s/${sessionId}`);
      if (screen === "phone") {
        const views = page.getByRole("navigation", { name: "Views" });
        await device.press(views.getByRole("button", { name: "Sessions" }));
      } else await page.getByRole("link", { name: `On a ${screen}` }).hover();
      const actions = button(page, `Actions for On a ${screen}`);
      const menu = page.getByRole("menu");
      await device.press(actions);
      await menu.waitFor();
      await takePicture(page, `menu on a ${screen}`);
      const beside = await button(page, "New session").boundingBox();
      const { x, y } = beside ?? { x: 0, y: 0 };
      if (screen === "phone") await page.touchscreen.tap(x + 9, y + 9);
      else await page.mouse.click(x + 9, y + 9);
      await menu.waitFor({ state: "detached" });
      expect(await page.getByRole("dialog").count()).toBe(0);
      await device.press(actions);
      await device.press(menu.getByRole("menuitem", { name: "Delete" }));
      const asked = page.getByRole("dialog", { name: "Delete this session?" });
      await device.press(button(asked, "Keep"));
      await asked.waitFor({ state: "detached" });
      await device.press(actions);
      await device.press(menu.getByRole("menuitem", { name: "Delete" }));
      await device.press(button(asked, "Delete for good"));
      await actions.waitFor({ state: "detached" });
    },
  );
});
