import type { TurnScript } from "@holdpoint/engine/testing";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, until } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import {
  BOMBED_KINDS,
  cutBytes,
  toBombedRequest,
  type BombedKind,
} from "./support/bombed-requests.ts";
import { BOMBS, type Bomb } from "./support/bombs.ts";
import {
  openScriptedGateway,
  sayAndAsk,
  type ScriptedGateway,
} from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

/** How much slower than this machine's the processor is made. */
const SLOWDOWN = 4;
/** How long Deny may take, from the card's arrival until the gateway has it. */
const LIMIT_MS = 2000;
/** After this the page counts as stopped. */
const PATIENCE_MS = 15_000;
/** A run tries one of so many; the campaign tries all. */
const SHARE = Number(process.env["BOMB_SHARE"] ?? "24");

interface Case {
  readonly bomb: Bomb;
  readonly kind: BombedKind;
}

const HARMLESS: Bomb = { name: "harmless text", text: "An *ordinary* text, with `code`." };

const ALL: readonly Case[] = BOMBS.flatMap((bomb) => BOMBED_KINDS.map((kind) => ({ bomb, kind })));
// A step that shares no factor with the number of kinds, so that each kind is among those tried.
const TRIED = ALL.filter((_, index) => index % SHARE === 0 || SHARE === 1);

describe("No text of an agent", () => {
  test(
    "keeps Deny, Skip and Cancel from being pressed, on a processor four times as slow",
    { timeout: 120_000 + TRIED.length * 2 * PATIENCE_MS },
    async ({ owned, openDevice, annotate }) => {
      const scene = { current: { bomb: HARMLESS, kind: "command" } as Case };
      const gateway = owned.use(await openScriptedGateway(createScript(scene)));
      const device = await openDevice(gateway);
      await slowDown(device);
      await device.open("/");
      const usual = await tryCase(gateway, device, scene, { bomb: HARMLESS, kind: "command" });
      let tried = 0;
      const slow: string[] = [];
      for (const one of TRIED) {
        const times = await tryCase(gateway, device, scene, one);
        tried += 1;
        const line = `${one.bomb.name} in a ${one.kind}: ${times.live} ms, after a reload ${times.reload} ms`;
        if (process.env["BOMB_REPORT"] !== undefined) process.stdout.write(`${line}\n`);
        const isSlow = times.live > usual.live + LIMIT_MS || times.reload > usual.reload + LIMIT_MS;
        if (isSlow) slow.push(line);
      }
      expect(slow).toEqual([]);
      expect(tried).toBe(TRIED.length);
      await annotate(
        `${tried} of ${ALL.length} bombed cards, live and after a reload; usual ${usual.live} and ${usual.reload} ms`,
        "cases",
      );
    },
  );
});

async function slowDown({ context, page }: Device): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/** Says the bomb in every way that an agent can say something, and asks with it. */
function createScript(scene: { readonly current: Case }): TurnScript {
  return async (message, context) => {
    const { bomb, kind } = scene.current;
    const { text } = bomb;
    const messageId = `${message.messageId}_thought`;
    await context.emit({ type: "assistant_message", messageId, text, channel: "thinking" });
    const call = { toolCallId: "call_done", toolName: text.slice(0, 200) };
    await context.emit({ type: "tool_call", ...call, input: { command: text, path: text } });
    await context.emit({
      type: "tool_result",
      toolCallId: "call_done",
      content: text,
      isError: true,
    });
    return sayAndAsk([text, text], [toBombedRequest(kind, bomb)])(message, context);
  };
}

interface Times {
  readonly live: number;
  readonly reload: number;
}

async function tryCase(
  gateway: ScriptedGateway,
  device: Device,
  scene: { current: Case },
  one: Case,
): Promise<Times> {
  scene.current = one;
  const message = cutBytes(one.bomb.text, 90_000);
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "scripted" });
  await device.open(`/s/${sessionId}`);
  await device.page.locator("textarea").first().waitFor();
  await api.send(sessionId, message);
  await pending(api, sessionId);
  const live = await refuse(api, sessionId, device.page);
  await device.open("/");
  const again = await gateway.start(message);
  await pending(api, again);
  const [reload] = await Promise.all([
    refuse(api, again, device.page),
    device.open(`/s/${again}`).catch(() => undefined),
  ]);
  await api.stop(sessionId).catch(() => undefined);
  await api.stop(again).catch(() => undefined);
  return { live, reload };
}

function pending(api: Api, sessionId: string): Promise<unknown> {
  return until(async () => (await api.interactions(sessionId, "pending"))[0], "the card");
}

/** Presses the first action of the card. Resolves to how long it took until the gateway had the answer. */
async function refuse(api: Api, sessionId: string, page: Page): Promise<number> {
  const startedAt = performance.now();
  try {
    await page.locator(".hp-card .hp-actions .hp-button").first().click({ timeout: PATIENCE_MS });
    await until(
      async () => (await api.interactions(sessionId, "pending")).length === 0,
      "the answer",
      PATIENCE_MS,
    );
  } catch (error) {
    if (process.env["BOMB_REPORT"] !== undefined)
      process.stdout.write(`${String(error).slice(0, 300)}\n`);
    return Infinity;
  }
  return Math.round(performance.now() - startedAt);
}
