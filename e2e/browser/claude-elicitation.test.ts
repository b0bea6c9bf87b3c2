import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { addElicitingServer, callTool, inOrder, say } from "@holdpoint/agents/testing";
import { expect } from "vitest";

import { Api, until } from "../support/api.ts";
import { expectAccessible } from "./support/accessible.ts";
import { NETWORK_TROUBLE } from "./support/behind-line.ts";
import { cardOf, comeBack } from "./support/claude-page.ts";
import { type ClaudeScene, findProcesses, killAll, test } from "./support/claude-scene.ts";
import { button, card, conversation, expectReady, SHOW_REST } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";

/** A page that keeps the requests it gets. */
async function openPage(): Promise<
  { url: string; asked: IncomingHttpHeaders[] } & AsyncDisposable
> {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer(({ url, headers }, response) => {
    if (url === "/setup") asked.push(headers);
    response.setHeader("Content-Type", "text/html").end("<title>Set up</title>Set up.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/setup`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const CALLS = ["toolu_form", "toolu_visit", "toolu_script"] as const;
const elicit = (id: string, request: object) =>
  callTool("mcp__files__elicit", { requests: [request] }, id);
const gotOf = (claude: ClaudeScene, toolCallId: string) =>
  JSON.parse(claude.resultsOf(toolCallId)[0] ?? "null") as unknown;

test("[R-2] [R-5] A request of an MCP server is answered on the page, also after the gateway was killed", async ({
  claude,
  owned,
  openDevice,
}) => {
  await addElicitingServer(join(claude.folder, ".claude-data"));
  const visited = owned.use(await openPage());
  const form = {
    mode: "form",
    message: "Which release?",
    requestedSchema: {
      type: "object",
      properties: {
        version: { type: "string", title: "Version", minLength: 2 },
        channel: {
          type: "string",
          title: "Channel",
          enum: ["a", "b"],
          enumNames: ["Stable", "Beta"],
        },
        notify: { type: "boolean", title: "Tell everybody" },
      },
      required: ["version"],
    },
  };
  const visit = { mode: "url", message: "Set it up.", url: visited.url, elicitationId: "e1" };
  const script = { ...visit, url: "javascript:alert(1)", elicitationId: "e2" };
  claude.model.play(
    inOrder([
      [elicit(CALLS[0], form)],
      [elicit(CALLS[1], visit)],
      [elicit(CALLS[2], script)],
      [say("All set.")],
    ]),
  );
  const killed = await claude.start();
  let api = new Api(killed.url);
  const { sessionId } = await api.createSession({ agent: "claude" });
  const device = await openDevice(killed.viaLine);
  const { page, context } = device;
  device.allowProblem(NETWORK_TROUBLE);
  await device.open(`/s/${sessionId}`);
  await page.getByText("Tell it what to do").waitFor();
  await api.send(sessionId, "Release it.");

  const allow = async (): Promise<void> => {
    const { interactionId, approval } = await until(
      async () =>
        (await api.interactions(sessionId, "pending")).find(({ kind }) => kind === "approval"),
      "the approval",
    );
    await api.respond(interactionId, { action: "approve", digest: approval!.digest });
  };
  const asked = () =>
    until(
      async () =>
        (await api.interactions(sessionId, "pending")).find(({ kind }) => kind === "form"),
      "the form",
    );

  await allow();
  const first = await asked();
  const formCard = cardOf(page, first.interactionId);
  await formCard
    .getByText("This request comes from the MCP server files, not the agent.")
    .waitFor();
  await formCard.getByLabel("Version").fill("4.2");
  await device.press(formCard.getByRole("radio", { name: "Beta" }));
  await expectAccessible(page, "the server's form");
  await takePicture(page, "elicitation-form");
  await killed.stop("SIGKILL");
  const gateway = await comeBack(claude, page, "elicitation");
  api = new Api(gateway.url);
  expect(await formCard.getByLabel("Version").inputValue()).toBe("4.2");
  await device.press(button(formCard, "Submit"));

  // On so small a screen the address is not visible, so no one can confirm a visit.
  await page.setViewportSize({ width: 720, height: 400 });
  await allow();
  const second = await asked();
  expect(gotOf(claude, CALLS[0])).toEqual([
    { action: "accept", content: { version: "4.2", channel: "b" } },
  ]);
  const visitCard = cardOf(page, second.interactionId);
  await visitCard.getByText(SHOW_REST).waitFor();
  expect(await button(visitCard, "Done").getAttribute("aria-disabled")).toBe("true");
  await page.setViewportSize({ width: 1440, height: 900 });
  await visitCard.getByText(new URL(visited.url).host, { exact: true }).waitFor();
  await expectReady(button(visitCard, "Done"));
  await expectAccessible(page, "the visit");
  await takePicture(page, "elicitation-visit");
  expect(visited.asked).toEqual([]);
  const opening = context.waitForEvent("page");
  await device.press(visitCard.getByRole("link", { name: "Open this page in a new tab" }));
  const opened = await opening;
  await opened.waitForLoadState();
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
  expect(visited.asked).toHaveLength(1);
  expect(visited.asked[0]).not.toHaveProperty("referer");
  await opened.close();
  expect(await api.interaction(second.interactionId)).toMatchObject({ status: "pending" });
  await device.press(button(visitCard, "Done"));

  await allow();
  await conversation(page).getByText("All set.").waitFor();
  await conversation(page)
    .getByText(/^files: Its address does not begin with https/u)
    .waitFor();
  expect(gotOf(claude, CALLS[1])).toEqual([{ action: "accept" }]);
  expect(gotOf(claude, CALLS[2])).toEqual([{ action: "cancel" }]);
  await card(page, "Submitted").first().waitFor();
  await takePicture(page, "elicitation-end");
  for (const { interactionId } of [first, second]) {
    expect(await api.interaction(interactionId)).toMatchObject({
      status: "delivered",
      how: "resumed",
    });
  }
  expect(await api.interactions(sessionId, "pending")).toEqual([]);

  claude.model.play(inOrder([[elicit("toolu_lost", form)], [say("Again.")]]));
  await api.send(sessionId, "And the next one.");
  await allow();
  const lost = await asked();
  const { hosts, agents } = findProcesses(gateway);
  killAll([gateway.pid, ...hosts, ...agents]);
  await gateway.stop("SIGKILL");
  await comeBack(claude, page, "elicitation-lost");
  await cardOf(page, lost.interactionId).getByText("It can no longer be answered.").waitFor();
  expect(await button(cardOf(page, lost.interactionId), "Submit").count()).toBe(0);
});
