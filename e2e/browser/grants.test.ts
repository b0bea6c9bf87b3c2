import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import type { GrantList } from "@holdpoint/protocol";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import { button, card, expectFocus, expectReady } from "./support/conversation.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { EVERY_SCREEN, test } from "./support/test.ts";

const HOSTILE = "Deleting exactly dist/\u202egpj.exe and build/, and nothing else.";

/** Asks for the same approval with each message. */
const askAgain: TurnScript = (message, context) =>
  sayAndAsk([], [requestOf(message.messageId)])(message, context);

function requestOf(toolCallId: string): HoldRequest {
  return {
    kind: "approval",
    toolCallId,
    toolName: "delete_files",
    input: { files: ["dist", "build"] },
    display: { title: "Delete files" },
    scopes: ["once", "session", "always"],
    scopeText: { session: "Deleting these, in this session.", always: HOSTILE },
    editable: false,
    grantKey: "dist, build",
  };
}

describe("Grants", () => {
  test.for(EVERY_SCREEN)(
    "come into the list as they are given, and what is revoked asks again, on a %s",
    async (screen, { openDevice, owned }) => {
      const gateway = owned.use(await openScriptedGateway(askAgain));
      const api = new Api(gateway.url);
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open();
      if (screen === "phone") {
        const views = page.getByRole("navigation", { name: "Views" });
        await device.press(views.getByRole("button", { name: "Sessions" }));
      }
      await device.press(page.getByRole("link", { name: "Grants" }));
      await page.getByText("Nothing is allowed for longer.").waitFor();
      expect(await page.title()).toBe("Grants · Holdpoint");
      await expectAccessible(page, "no grants");

      const other = await openDevice(gateway, { screen });
      const sessionId = await gateway.start("Clean up");
      await other.open(`/s/${sessionId}`);
      const asked = card(other.page, "Delete files");
      const always = asked.getByRole("button", { name: "Always allow" });
      await expectReady(always);
      await other.press(always);
      const list = page.getByRole("main").getByRole("listitem");
      await list.getByText("From now on").waitFor();
      expect(await list.innerText()).not.toContain("\u202e");
      await list.getByText("in 30 days").waitFor();
      await list.getByText("not yet").waitFor();

      await api.send(sessionId, "Again", true);
      await list.getByText("just now").nth(1).waitFor();
      const events = await api.events(sessionId);
      expect(events.filter(({ type }) => type === "grant_used")).toHaveLength(1);
      await other.page.getByText("allowed earlier").waitFor();
      await expectAccessible(page, "a grant");
      if (screen === "phone") await expectReflow(page, "a grant");

      await device.press(button(list, "Revoke delete_files"));
      const dialog = page.getByRole("dialog", { name: "Revoke this grant?" });
      await dialog.waitFor();
      await expectAccessible(page, "revoking");
      await device.press(button(dialog, "Keep"));
      await device.press(button(list, "Revoke delete_files"));
      await device.press(button(dialog, "Revoke"));
      await page.getByText("Nothing is allowed for longer.").waitFor();
      await expectFocus(page.getByRole("heading", { name: "Grants" }));
      const { body } = await api.call<GrantList>("GET", "/grants");
      expect(body).toEqual({ items: [] });
      await api.send(sessionId, "And again", true);
      expect(await pending(api, sessionId)).toMatchObject({ toolName: "delete_files" });
    },
  );

  test("given on another device settle what waits there too", async ({ openDevice, owned }) => {
    const gateway = owned.use(await openScriptedGateway(askAgain));
    const api = new Api(gateway.url);
    const [first, second] = [await gateway.start("One"), await gateway.start("Two")];
    await pending(api, second);
    const device = await openDevice(gateway);
    await device.open(`/s/${second}`);
    await card(device.page, "Delete files").waitFor();
    const { interactionId, approval } = await pending(api, first);
    const { digest } = approval!;
    await api.respond(interactionId, { action: "approve", digest, approvalScope: "always" });
    await card(device.page, "Submitted").or(card(device.page, "Answered")).first().waitFor();
    const settled = await until(
      async () => (await api.interactions(second, "delivered"))[0],
      "the answer by the grant",
    );
    expect(settled.response).toMatchObject({ approvalScope: "always", grantId: expect.anything() });
  });
});
