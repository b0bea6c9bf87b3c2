import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import type { GrantList } from "@holdpoint/protocol";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import { button, card, expectFocus, expectReady, openScopes } from "./support/conversation.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test, mainlyOn } from "./support/test.ts";

const HOSTILE = "Deleting exactly dist/\u202egpj.exe and build/, and nothing else.";

/** Asks for the same approval on each message. */
const askAgain: TurnScript = (message, context) =>
  sayAndAsk([], [requestOf(message.messageId)])(message, context);

/** Runs each message as a command that needs approval. */
const runCommand: TurnScript = async (message, context) => {
  const { messageId: toolCallId, content: command } = message;
  const call = { toolCallId, toolName: "Bash", input: { command } };
  await context.emit({ type: "tool_call", ...call });
  const request = { ...requestOf(toolCallId), ...call } as HoldRequest;
  const result = await context.hold(request, { signal: context.signal });
  if (result.outcome === "answered") await result.delivered();
  return { reason: "done" };
};

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
  test.for(mainlyOn("desktop"))(
    "appear in the list as they are given, and ask again once revoked, on a %s",
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
      await page.getByText("There are no grants.").waitFor();
      await expect.poll(() => page.title()).toBe("Grants · Holdpoint");
      await expectAccessible(page, "no grants");

      const other = await openDevice(gateway, { screen });
      const sessionId = await gateway.start("Clean up");
      await other.open(`/s/${sessionId}`);
      const asked = card(other.page, "Delete files");
      const always = button(await openScopes(other, asked), "Always allow");
      await expectReady(always);
      await other.press(always);
      const list = page.getByRole("main").getByRole("listitem");
      await list.getByText("From now on").waitFor();
      expect(await list.innerText()).not.toContain("\u202e");
      await list.getByText("in 30 days").waitFor();
      await list.getByText("never").waitFor();

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
      await page.getByText("There are no grants.").waitFor();
      await expectFocus(page.getByRole("heading", { name: "Grants" }));
      const { body } = await api.call<GrantList>("GET", "/grants");
      expect(body).toEqual({ items: [] });
      await api.send(sessionId, "And again", true);
      expect(await pending(api, sessionId)).toMatchObject({ toolName: "delete_files" });
    },
  );

  test.for(mainlyOn("phone"))(
    "can be added as rules, after a preview of the past calls that they cover, on a %s",
    async (screen, { openDevice, owned }) => {
      const gateway = owned.use(await openScriptedGateway(runCommand));
      const api = new Api(gateway.url);
      const sessionId = await gateway.start("npm run build");
      const { interactionId } = await pending(api, sessionId);
      await api.respond(interactionId, { action: "deny" });
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open("/grants");
      await device.press(page.getByRole("button", { name: "Add rule" }));
      const dialog = page.getByRole("dialog", { name: "Add rule" });
      await dialog.waitFor();
      await dialog.getByLabel("Pattern").fill("npm run * --script-shell *");
      await device.press(button(dialog, "Show coverage"));
      await dialog.getByText(/^A rule can never allow this: /u).waitFor();
      await dialog.getByLabel("Pattern").fill("npm run *");
      await device.press(button(dialog, "Show coverage"));
      await dialog.getByText("It would have covered 1 of 1 command in the last 30 days.").waitFor();
      await expectAccessible(page, "a rule");
      if (screen === "phone") await expectReflow(page, "a rule");
      await device.press(button(dialog, "Save rule"));
      const list = page.getByRole("main").getByRole("listitem");
      await list.getByText("Rule: allow").waitFor();

      await api.send(sessionId, "npm run test", true);
      await until(
        async () => (await api.events(sessionId)).find(({ type }) => type === "grant_used"),
        "the use of the rule",
      );
      await api.send(sessionId, "npm run test; rm -rf x", true);
      await pending(api, sessionId);
      await device.press(button(list, "Revoke Commands"));
      const revoking = page.getByRole("dialog", { name: "Revoke this grant?" });
      await device.press(button(revoking, "Revoke"));
      await page.getByText("There are no grants.").waitFor();
    },
  );

  test("for the next call end after it", async ({ openDevice, owned }) => {
    const gateway = owned.use(await openScriptedGateway(askAgain));
    const api = new Api(gateway.url);
    const sessionId = await gateway.start("Clean up");
    const device = await openDevice(gateway);
    await device.open(`/s/${sessionId}`);
    const asked = card(device.page, "Delete files");
    const scopes = await openScopes(device, asked);
    await scopes.getByLabel("Limit").selectOption("for the next call");
    const always = button(scopes, "Always allow");
    await expectReady(always);
    await device.press(always);
    const granted = await until(
      async () => (await api.call<GrantList>("GET", "/grants")).body.items[0],
      "the grant",
    );
    expect(granted).toMatchObject({ usesLeft: 1 });
    await api.send(sessionId, "Again", true);
    await api.send(sessionId, "And again", true);
    await pending(api, sessionId);
    expect((await api.call<GrantList>("GET", "/grants")).body).toEqual({ items: [] });
    const uses = (await api.events(sessionId)).filter(({ type }) => type === "grant_used");
    expect(uses).toHaveLength(1);
  });

  test("given on another device settle the pending requests there too", async ({
    openDevice,
    owned,
  }) => {
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
