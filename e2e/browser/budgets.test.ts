import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { HoldRequest } from "@holdpoint/engine";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { expectBudget, toQuantile } from "./support/budget.ts";
import { conversation } from "./support/conversation.ts";
import { writeLongSession } from "./support/long-session.ts";
import { openScriptedGateway } from "./support/scripted-gateway.ts";
import { test, mainlyOn } from "./support/test.ts";

/** For 19 of 20 asks. */
const ASK_TO_CARD_MS = 200;
/** Relative to a plain text of the agent's, which takes the same way. */
const TIMES_TEXT = 2;
const OPEN_LONG_SESSION_MS = 500;
/** Relative to a session of a few messages. */
const TIMES_SHORT_SESSION = 2;
const MAX_DOM_NODES = 3000;
const ASKS = 20;
const MESSAGES = 10_000;
const FEW_MESSAGES = 20;
const OPENINGS = 3;

interface Ask {
  readonly kind: "approval" | "form";
  readonly request: (title: string, toolCallId: string) => HoldRequest;
  /** The action that ends the ask. */
  readonly no: "deny" | "cancel";
}

const ASKS_OF_KINDS: readonly Ask[] = [
  {
    kind: "approval",
    no: "deny",
    request: (title, toolCallId) => ({
      kind: "approval",
      toolCallId,
      toolName: "Bash",
      input: { command: title },
      display: { title },
      scopes: ["once"],
      scopeText: {},
      editable: false,
    }),
  },
  {
    kind: "form",
    no: "cancel",
    request: (title, toolCallId) => ({
      kind: "form",
      toolCallId,
      toolName: "collect_address",
      prompt: title,
      form: {
        schema: {
          type: "object",
          required: ["street"],
          properties: {
            street: { type: "string", title: "Street" },
            country: { type: "string", title: "Country", enum: ["Chile", "Malta"] },
            express: { type: "boolean", title: "By tomorrow" },
          },
        },
      },
    }),
  },
];

describe("Budgets", () => {
  test.for(ASKS_OF_KINDS)(
    "an ask of kind $kind appears on screen within its budget, measured on loopback",
    async ({ kind, request, no }, { owned, openDevice }) => {
      let saidAt = Number.NaN;
      const gateway = owned.use(
        await openScriptedGateway(async (message, context) => {
          const { content, messageId } = message;
          saidAt = Date.now();
          if (content.startsWith("Say")) {
            const text = { text: `${content.slice(4)} is said`, channel: "text" } as const;
            await context.emit({ type: "assistant_message", messageId: `${messageId}_a`, ...text });
            return { reason: "done" };
          }
          const { signal } = context;
          const result = await context.hold(request(content, messageId), { signal });
          if (result.outcome === "answered") await result.delivered();
          return { reason: "done" };
        }),
      );
      const device = await openDevice(gateway);
      const { page } = device;
      const api = new Api(gateway.url);
      const { sessionId } = await api.createSession({ agent: "scripted" });
      await device.open(`/s/${sessionId}`);
      await page.getByRole("textbox", { name: "Message" }).waitFor();
      const took: number[] = [];
      const floor: number[] = [];
      for (let ask = 0; ask < ASKS; ask += 1) {
        const said = page.evaluate(waitForText, `Text ${ask} is said`);
        await api.send(sessionId, `Say Text ${ask}`, true);
        floor.push((await said) - saidAt);
        await api.idle(sessionId);
        const seen = page.evaluate(waitForCard, `Ask ${ask}`);
        await api.send(sessionId, `Ask ${ask}`, true);
        took.push((await seen) - saidAt);
        const { interactionId } = await pending(api, sessionId);
        await api.respond(interactionId, { action: no });
        await api.idle(sessionId);
      }
      expectBudget({
        what: `${kind} to card on screen, p95`,
        ms: toQuantile(took, 0.95),
        floorMs: toQuantile(floor, 0.95),
        budgetMs: ASK_TO_CARD_MS,
        times: TIMES_TEXT,
      });
    },
  );

  test.for(mainlyOn("phone"))(
    `a session of ${MESSAGES} messages opens at its last one, with few of them drawn, on a %s`,
    async (screen, { owned, startGateway, openDevice }) => {
      const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-long-"));
      owned.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
      await writeLongSession(dataDir, MESSAGES);
      await writeLongSession(dataDir, FEW_MESSAGES, "A short session");
      const gateway = await startGateway({ dataDir });
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      const took: number[] = [];
      const floor: number[] = [];
      for (let round = 0; round < OPENINGS; round += 1) {
        floor.push(await openSession(device, /A short session/, FEW_MESSAGES));
        took.push(await openSession(device, /A long session/, MESSAGES));
      }
      const opened = await countNodes(page);
      expectBudget({
        what: `${MESSAGES} messages on a ${screen}, the last on screen, median`,
        ms: toQuantile(took, 0.5),
        floorMs: toQuantile(floor, 0.5),
        budgetMs: OPEN_LONG_SESSION_MS,
        times: TIMES_SHORT_SESSION,
      });

      const log = conversation(page);
      for (let earlier = 0; earlier < 5; earlier += 1) {
        const before = await log.evaluate((one) => one.scrollHeight);
        await log.evaluate((one) => one.scrollTo({ top: 0 }));
        await expect.poll(() => log.evaluate((one) => one.scrollHeight)).toBeGreaterThan(before);
      }
      expect(Math.max(opened, await countNodes(page))).toBeLessThan(MAX_DOM_NODES);
    },
  );
});

/** Opens a session on a page that has not loaded it yet, and returns the milliseconds from the press on. */
async function openSession(device: Device, title: RegExp, messages: number): Promise<number> {
  const { page, screen } = device;
  await device.open();
  if (screen === "phone") {
    await device.press(page.getByRole("navigation", { name: "Views" }).getByText("Sessions"));
  }
  const session = page.getByRole("link", { name: title });
  await session.waitFor();
  const openedAt = performance.now();
  await device.press(session);
  await conversation(page)
    .getByText(`Message ${messages - 1}:`)
    .waitFor();
  return performance.now() - openedAt;
}

function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("*").length);
}

/**
 * Runs in the page: the time at which an answerable card with that name was painted, in milliseconds of the machine's
 * clock.
 */
function waitForCard(title: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      const cards = [...document.querySelectorAll("[role=log] article")];
      const isThere = cards.some(
        (one) => one.textContent?.includes(`${title}asked`) && one.querySelector("button"),
      );
      if (isThere) requestAnimationFrame(() => resolve(Date.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Runs in the page: the time at which the text was painted. */
function waitForText(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      const logs = [...document.querySelectorAll("[role=log]")];
      const isThere = logs.some((one) => one.textContent.includes(text));
      requestAnimationFrame(isThere ? () => resolve(Date.now()) : look);
    };
    look();
  });
}
