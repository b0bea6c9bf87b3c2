import type { TurnScript } from "@holdpoint/engine/testing";
import type { CDPSession, Page } from "playwright-core";
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

/** The limit applies to a processor that is slower than this one by this factor. */
const SLOWDOWN = 4;
/**
 * The factor by which the browser slows down the processor; measured times are multiplied by the rest. The campaign
 * uses 4.
 */
const THROTTLE = Number(process.env["BOMB_THROTTLE"] ?? "1");
/**
 * How much longer than with a harmless card the page may be busy until Deny has reached the gateway, on the slow
 * processor. Counted in processor time of the page's own thread, so that a busy machine gets the same result.
 */
const LIMIT_MS = 2000;
/** The page counts as stopped after this time on the clock. */
const PATIENCE_MS = 45_000;
/** A case that seems too slow is measured again: other work on the machine only ever makes it slower. */
const TRIES = 3;
/** A run tries one in this many cases; the campaign tries all. */
const SHARE = Number(process.env["BOMB_SHARE"] ?? "149");
/** The first case of a run. */
const FIRST = Number(process.env["BOMB_FIRST"] ?? "0");

interface Case {
  readonly bomb: Bomb;
  readonly kind: BombedKind;
  /** Pressed while the card is new; the other is pressed after a reload. */
  readonly first: "answer" | "stop";
}

interface Busy {
  readonly live: number;
  readonly reload: number;
}

interface Scene {
  readonly gateway: ScriptedGateway;
  readonly device: Device;
  readonly cdp: CDPSession;
  current: Case;
}

const HARMLESS: Case = {
  bomb: { name: "harmless text", text: "An *ordinary* text, with `code`." },
  kind: "command",
  first: "answer",
};
const ALL: readonly Case[] = BOMBS.flatMap((bomb, index) =>
  BOMBED_KINDS.map((kind, place) => ({
    bomb,
    kind,
    first: (index + place) % 2 === 0 ? "answer" : "stop",
  })),
);
const PLANNED = ALL.filter((_, index) => index % SHARE === FIRST);

describe("No text of an agent", () => {
  test(
    "keeps Deny, Skip, Cancel and Stop from being pressed, on a processor four times as slow",
    { timeout: 120_000 + PLANNED.length * 2 * PATIENCE_MS },
    async ({ owned, openDevice, annotate }) => {
      const asked = { current: HARMLESS };
      const gateway = owned.use(await openScriptedGateway(createScript(asked)));
      const device = await openDevice(gateway);
      const cdp = await slowDown(device);
      const scene: Scene = Object.assign(asked, { gateway, device, cdp });
      await tryCase(scene, HARMLESS); // Compiles the page's scripts.
      const usual = await tryCase(scene, HARMLESS);
      const tooBusy: string[] = [];
      let tried = 0;
      const worst = new Map<BombedKind, number>();
      for (const one of PLANNED) {
        const { live, more } = await measure(scene, one, usual);
        tried += 1;
        worst.set(one.kind, Math.max(worst.get(one.kind) ?? 0, live, more));
        if (live <= LIMIT_MS && more <= LIMIT_MS) continue;
        tooBusy.push(
          `${one.bomb.name} in a ${one.kind}: ${live} ms, with a reload ${more} ms more`,
        );
      }
      expect(tooBusy).toEqual([]);
      expect(tried).toBe(PLANNED.length);
      expect(BOMBS.length).toBeGreaterThanOrEqual(60);
      await annotate(
        `${tried} of ${ALL.length} cards full of hostile text, each live and after a reload: until Deny or Stop at most ${[...worst].map(([kind, ms]) => `${ms} ms in a ${kind}`).join(", ")} more than the ${usual.live} ms of a harmless one`,
        "cases",
      );
    },
  );
});

/** How much busier the page is than with a harmless card, live and after a reload. */
async function measure(
  scene: Scene,
  one: Case,
  usual: Busy,
): Promise<{ readonly live: number; readonly more: number }> {
  let live = Infinity;
  let more = Infinity;
  for (let again = 0; again < TRIES && Math.max(live, more) > LIMIT_MS; again += 1) {
    const busy = await tryCase(scene, one).catch((error: unknown) => {
      throw new Error(`${one.bomb.name} in a ${one.kind} stopped the page`, { cause: error });
    });
    live = Math.min(live, busy.live - usual.live);
    more = Math.min(more, busy.reload - usual.reload);
  }
  return { live, more };
}

async function slowDown({ context, page }: Device): Promise<CDPSession> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
  return cdp;
}

/** The work of the page's main thread since it was opened, in milliseconds of the slow processor. */
async function readBusy(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return Math.round(
    (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN) *
      (SLOWDOWN / THROTTLE) *
      1000,
  );
}

/** Puts the bomb into every text that an agent can send, and asks with it. */
function createScript(asked: { readonly current: Case }): TurnScript {
  return async (message, context) => {
    const { bomb, kind } = asked.current;
    const { text } = bomb;
    const messageId = `${message.messageId}_thought`;
    await context.emit({ type: "assistant_message", messageId, text, channel: "thinking" });
    const call = { toolCallId: "call_done", toolName: text.slice(0, 200) };
    await context.emit({ type: "tool_call", ...call, input: { command: text, path: text } });
    const result = { toolCallId: "call_done", content: text, isError: true };
    await context.emit({ type: "tool_result", ...result });
    return sayAndAsk([text, text], [toBombedRequest(kind, bomb)])(message, context);
  };
}

async function tryCase(scene: Scene, one: Case): Promise<Busy> {
  const { gateway, device, cdp } = scene;
  scene.current = one;
  const api = new Api(gateway.url);
  const title = cutBytes(`x${one.bomb.text}`, 90_000);

  const { sessionId } = await api.createSession({ agent: "scripted" });
  await device.open(`/s/${sessionId}`);
  await device.page.getByRole("textbox", { name: "Message" }).waitFor();
  const before = await readBusy(cdp);
  await api.send(sessionId, title);
  const second = one.first === "answer" ? "stop" : "answer";
  await press(one.first, api, sessionId, device.page);
  const live = (await readBusy(cdp)) - before;

  await device.open("/");
  const again = await gateway.start(title);
  await until(() => api.interactions(again, "pending").then(([card]) => card), "the card");
  await device.open(`/s/${again}`);
  await press(second, api, again, device.page);
  const reload = await readBusy(cdp);
  for (const id of [sessionId, again]) await api.stop(id);
  return { live, reload };
}

/** Presses the first action of the card, or Stop, and waits until the gateway has it. */
async function press(what: Case["first"], api: Api, sessionId: string, page: Page): Promise<void> {
  const answer = page.locator(".hp-card .hp-actions .hp-button").first();
  await answer.waitFor({ timeout: PATIENCE_MS });
  const pressed =
    what === "answer" ? answer : page.getByRole("button", { name: "Stop", exact: true });
  await pressed.click({ timeout: PATIENCE_MS });
  const isAnswered = async () => (await api.interactions(sessionId, "pending")).length === 0;
  await until(isAnswered, "the answer", PATIENCE_MS);
}
