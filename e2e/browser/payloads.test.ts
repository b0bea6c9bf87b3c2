import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, until } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { PAYLOADS } from "./support/payloads.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

/** How many payloads are in one text, one below the other. The campaign tries each alone. */
const AT_ONCE = Number(process.env["PAYLOADS_AT_ONCE"] ?? "24");
/** The number of texts tried in one session, each in separate cards, all drawn at the same time. */
const BATCH = 2;
/** High enough that all rows of a session are in view. */
const VIEWPORT = { width: 1440, height: 24_000 };
/** The kinds of request that contain each payload. */
const KINDS = 4;

describe("No payload in an agent's text", () => {
  test(
    "runs or sends anything, in any field",
    { timeout: 900_000 },
    async ({ owned, openDevice, annotate }) => {
      const batch = { current: [] as readonly string[] };
      const gateway = owned.use(await openScriptedGateway(createScript(batch)));
      const device = await openDevice(gateway);
      // The attempts of an HTML preview are blocked, and reported, by its sandbox and its own policy.
      device.allowProblem(/about:srcdoc|payload\.invalid|^console error: Framing|sandbox/i);
      const told = await listen(device, gateway.url);
      await device.page.setViewportSize(VIEWPORT);
      const api = new Api(gateway.url);
      const texts = chunk(PAYLOADS, AT_ONCE).map((payloads) => payloads.join("\n\n"));
      let tried = 0;
      for (const batched of chunk(texts, BATCH)) {
        batch.current = batched;
        const { sessionId } = await api.createSession({ agent: "scripted" });
        await api.send(sessionId, `Try ${batched.join("\n")}`);
        const count = batched.length * KINDS;
        await until(
          async () => (await api.interactions(sessionId, "pending")).length === count,
          "all cards",
        );
        await device.open(`/s/${sessionId}`);
        tried += await countCards(device.page, count);
        expect(await findRun(device.page)).toEqual([]);
        await api.stop(sessionId);
      }
      expect(told).toEqual([]);
      expect(tried).toBe(texts.length * KINDS);
      expect(PAYLOADS.length).toBeGreaterThanOrEqual(300);
      await annotate(
        `${PAYLOADS.length} payloads × ${FIELDS} fields, ${AT_ONCE} in a text: 0 run, 0 requests`,
        "cases",
      );
    },
  );
});

function chunk<TItem>(items: readonly TItem[], size: number): readonly (readonly TItem[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Records every sign that something ran or left the page. A request counts when the browser would send it: a request
 * that a policy blocked is announced too, and reported as failed later or, when its frame is gone, never.
 */
async function listen({ page, context }: Device, origin: string): Promise<readonly string[]> {
  const told: string[] = [];
  page.on("dialog", (dialog) => {
    told.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => told.push(`popup ${popup.url()}`));
  await context.route("**/*", async (route, request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${origin}/`) && request.frame() === page.mainFrame();
    if (isOwn) return route.continue();
    told.push(`request ${url}`);
    return route.abort();
  });
  return told;
}

/** Waits until all cards are drawn, opens what is closed in them, and returns how many there are. */
async function countCards(page: Page, count: number): Promise<number> {
  const cards = page.locator(".hp-card");
  await expect.poll(() => cards.count(), { timeout: 60_000 }).toBe(count);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const closed of document.querySelectorAll<HTMLElement>(
      ".hp-disclosure-line[aria-expanded=false], .hp-fold-open, .hp-more",
    )) {
      closed.click();
    }
  });
  await page.waitForTimeout(300);
  return cards.count();
}

/** Traces that a payload has left in the page. */
function findRun(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    if ("owned" in globalThis) found.push("a script has run");
    if (!document.title.includes("Holdpoint")) found.push(`title ${document.title}`);
    if ({}.constructor !== Object || "polluted" in {}) found.push("a prototype was changed");
    const foreign =
      ".hp-conversation :is(script, img, object, embed, form, base, meta, link, style, video, audio, math, portal), .hp-conversation iframe:not([sandbox=''])";
    for (const element of document.querySelectorAll(foreign)) found.push(element.outerHTML);
    for (const link of document.querySelectorAll<HTMLAnchorElement>(".hp-conversation a[href]")) {
      if (!/^(?:https?|mailto):|#/.test(link.href)) found.push(link.href);
    }
    for (const element of document.querySelectorAll(".hp-conversation *")) {
      for (const { name } of element.attributes) if (/^on/i.test(name)) found.push(name);
    }
    return found;
  });
}

/** The number of fields that contain each payload. */
const FIELDS = 42;

function createScript(batch: { readonly current: readonly string[] }): TurnScript {
  return async (message, context) => {
    const requests: HoldRequest[] = [];
    for (const [index, text] of batch.current.entries()) {
      const id = `${message.messageId}_${index}`;
      const said = { type: "assistant_message", text } as const;
      await context.emit({ ...said, messageId: `${id}_thought`, channel: "thinking" });
      await context.emit({ ...said, messageId: `${id}_text`, channel: "text" });
      const call = { toolCallId: `${id}_done`, toolName: `mcp__${text}__${text}` };
      await context.emit({ type: "tool_call", ...call, input: toInput(text) });
      const result = { toolCallId: call.toolCallId, content: text, isError: index % 2 === 0 };
      await context.emit({ type: "tool_result", ...result });
      requests.push(...toRequests(id, text));
    }
    return sayAndAsk([], requests)(message, context);
  };
}

function toInput(text: string): Record<string, unknown> {
  return { [text]: text, list: [text, { [text]: [text] }] };
}

function toRequests(id: string, text: string): readonly HoldRequest[] {
  const asked = { toolName: text, agentId: text, prompt: text, error: text, attempt: 2 };
  const approval = {
    ...asked,
    kind: "approval" as const,
    display: { title: text, description: text, reason: text, blockedPath: text, server: text },
    scopes: ["once", "session", "always"] as const,
    scopeText: { session: text, always: text },
    editable: true,
  };
  const about = { title: text, description: text };
  const option = (name: string, format: "markdown" | "html") => ({
    id: name,
    label: text,
    description: text,
    preview: { format, content: text },
  });
  return [
    {
      ...approval,
      toolCallId: `${id}_command`,
      input: { command: text, description: text, ...toInput(text) },
    },
    {
      ...approval,
      toolCallId: `${id}_change`,
      input: { file_path: text, content: text, [text]: text },
      change: { path: text, before: `${text}\nsame`, after: `${text}!\nsame` },
    },
    {
      ...asked,
      toolCallId: `${id}_question`,
      kind: "question",
      questions: [
        {
          id: "one",
          header: text,
          question: text,
          multiSelect: false,
          options: [option("html", "html"), option("markdown", "markdown")],
        },
      ],
    },
    {
      ...asked,
      toolCallId: `${id}_form`,
      kind: "form",
      fieldErrors: { line: text },
      completedView: { summaryTemplate: text },
      form: {
        schema: {
          type: "object",
          ...about,
          properties: {
            line: { type: "string", ...about, default: text },
            lines: { type: "string", ...about, multiline: true, default: text },
            [`field ${text}`]: { type: "boolean", ...about },
            one: { type: "string", ...about, enum: [text, "b"], enumNames: [text, "b"] },
            list: { type: "string", enum: [text, "b", "c", "d", "e", "f"] },
            many: { type: "array", ...about, items: { anyOf: [{ const: text, title: text }] } },
          },
        },
      },
    },
  ];
}
