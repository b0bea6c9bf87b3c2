import { setTimeout } from "node:timers/promises";

import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import { saying } from "@holdpoint/protocol";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { button, openScopes } from "./support/conversation.ts";
import { findEnglish } from "./support/english-words.ts";
import { expectFits } from "./support/fits.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

const run: HoldRequest = {
  kind: "approval",
  toolCallId: "call_run",
  toolName: "Bash",
  input: { command: "npm run build", description: "Baut die Seite" },
  display: {},
  scopes: ["once", "session", "always"],
  scopeText: { session: "Bis die Sitzung endet: genau das.", always: "Immer: genau das." },
  editable: true,
};
const write: HoldRequest = {
  kind: "approval",
  toolCallId: "call_write",
  toolName: "Write",
  input: { file_path: "termine.md", content: "Termine\n" },
  change: { path: "termine.md", after: "Termine\n" },
  display: {},
  scopes: ["once"],
  scopeText: {},
  editable: true,
};
const style: HoldRequest = {
  kind: "question",
  toolCallId: "call_style",
  toolName: "AskUserQuestion",
  questions: [
    {
      id: "stil",
      header: "Stil",
      question: "Welcher Stil?",
      multiSelect: false,
      options: [
        { id: "a", label: "Kurz" },
        { id: "b", label: "Lang" },
      ],
    },
    {
      id: "checks",
      header: "Proben",
      question: "Welche Proben?",
      multiSelect: true,
      options: [
        { id: "a", label: "Einheiten" },
        { id: "b", label: "Barrieren" },
      ],
    },
  ],
};
const person: HoldRequest = {
  kind: "form",
  toolCallId: "call_person",
  toolName: "ask_person",
  prompt: "Wer ist zuständig?",
  form: {
    schema: {
      type: "object",
      properties: {
        name: { type: "string", title: "Wer", minLength: 2 },
        heft: { type: "integer", title: "Wie viele", minimum: 1, maximum: 9 },
        sofort: { type: "boolean", title: "Sofort" },
      },
      required: ["name"],
    },
  },
};

const covered = saying("covers_command", { command: "npm run build" });

/** Long enough for its line to show a duration. */
const RUN_MS = 200;

const script: TurnScript = async (message, context) => {
  if (message.content.startsWith("Nur")) {
    const emit: typeof context.emit = async (event) => {
      if (event.type === "tool_result") await setTimeout(RUN_MS);
      return context.emit(event);
    };
    return sayAndAsk(["Gut."], [run])(message, { ...context, emit });
  }
  const call = { toolCallId: "call_look", toolName: "Read", input: { file_path: "termine.md" } };
  await context.emit({ type: "tool_call", ...call });
  await context.emit({
    type: "tool_result",
    toolCallId: call.toolCallId,
    content: "Termine",
    isError: false,
  });
  return sayAndAsk(["Ich sehe mir das an."], [run, write, style, person])(message, context);
};

/** A device keeps the name it had before the language changed. */
const NAMED_IN_ENGLISH = "Chrome on Linux";

/** The page in which the language is chosen. */
async function chooseGerman(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("combobox", { name: "Sprache" }).waitFor();
}

interface Walk {
  readonly device: Device;
  /** English texts that were found, by place. */
  readonly found: Record<string, readonly string[]>;
  /** Checks the page once `ready` is there. */
  readonly look: (where: string, ready: Locator) => Promise<void>;
}

function createWalk(device: Device): Walk {
  const { page, screen } = device;
  const found: Walk["found"] = {};
  return {
    device,
    found,
    async look(where, ready) {
      await ready.first().waitFor();
      await takePicture(page, `german ${screen} ${where}`);
      // Checks long words on small screens.
      if (screen === "phone") await expectFits(page, screen, where);
      const english = (await findEnglish(page)).filter((text) => !text.includes(NAMED_IN_ENGLISH));
      if (english.length > 0) found[where] = english;
    },
  };
}

async function walkPages({ device, look }: Walk): Promise<void> {
  const { page } = device;
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  await look("devices", heading("Geräte und Programme"));
  await device.press(button(page, "Gerät hinzufügen"));
  await look("add device", page.getByRole("dialog").getByText("Link kopieren"));
  await page.keyboard.press("Escape");
  await device.open("/grants");
  await look("grants", page.getByText("Es gibt keine Erlaubnisse."));
  await device.press(button(page, "Regel hinzufügen"));
  await look("rule", button(page, "Zeigen, was sie deckt"));
  await page.keyboard.press("Escape");
  await device.open("/history?person=Niemand");
  await look("history, nothing", page.getByText("Nichts Beantwortetes passt zu diesen Filtern."));
  await device.press(button(page, "Alle Antworten zeigen"));
  await device.press(page.locator(".history-entry button"));
  const filters = button(page, "Filter");
  if (await filters.isVisible()) await device.press(filters);
  await look("history", page.getByRole("link", { name: "Unterhaltung öffnen" }));
  await device.open("/");
  await look("home", page.getByRole("textbox", { name: "Erste Nachricht" }));
  await device.open("/nowhere");
  await look("unknown", heading("Start"));
}

async function walkSession({ device, look }: Walk, sessionId: string): Promise<void> {
  const { page } = device;
  const card = (name: string) => page.getByRole("log").getByRole("article", { name });
  await device.open(`/s/${sessionId}`);
  await look("session", page.getByText("Wartet auf Sie: 4 Anfragen"));
  const asked = card("npm run build");
  await device.press(button(asked, "Ändern"));
  await look(
    "editor",
    asked.getByRole("textbox", { name: "Befehl, der stattdessen ausgeführt wird" }),
  );
  await device.press(button(asked, "Verwerfen"));
  await device.press(button(asked, "Mit Grund ablehnen oder den Durchlauf stoppen"));
  await look("reason", asked.getByText("Warum nicht?"));
  await device.press(button(asked, "Zurück"));
  const form = card("Wer ist zuständig?");
  await form.getByRole("textbox", { name: "Wer" }).fill("A");
  await page.keyboard.press("Tab");
  await look("form", form);
  await page.keyboard.press("Control+k");
  await look("palette", page.getByRole("option", { name: "Dunkles Design" }));
  await page.getByRole("combobox", { name: "Sitzungen, offene Anfragen" }).fill("xyz");
  await look("palette, nothing", page.getByText("Nichts enthält diese Wörter."));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "In dieser Sitzung suchen" }).fill("Termine");
  await look("find", page.getByText(/^\d+ von \d/));
}

describe("A page in German", () => {
  test.for(mainlyOn("phone"))(
    "shows no English text of the catalogue on a %s, and fits a phone",
    async (screen, { owned, openDevice }) => {
      const gateway = owned.use(await openScriptedGateway(script));
      const api = new Api(gateway.url);
      const answered = await gateway.start("Nur bauen");
      const { interactionId, approval } = await pending(api, answered);
      await api.respond(interactionId, { action: "approve", digest: approval!.digest });
      const sessionId = await gateway.start("Termine ordnen");
      await expect.poll(async () => (await api.interactions(sessionId, "pending")).length).toBe(4);
      const device = await openDevice(gateway, { screen });
      await device.open("/devices");
      // Proves that the search finds English texts.
      await expect.poll(async () => (await findEnglish(device.page)).length).toBeGreaterThan(15);
      await chooseGerman(device.page);
      const walk = createWalk(device);
      await walkPages(walk);
      await walkSession(walk, sessionId);
      if (screen === "desktop") await walkDialogs(walk, answered);
      else await walkTabs(walk, answered);
      expect(walk.found).toEqual({});
    },
  );

  test("shows the texts of the gateway and its agents in German too, and the device's own name", async ({
    owned,
    openDevice,
  }) => {
    const lasting: HoldRequest = {
      ...run,
      display: {
        reason:
          "This runs git, and the repository can make git run another program: its setting core.pager.",
      },
      scopeText: {
        session: [covered, saying("in_session_at", { cwd: "/arbeit" })],
        always: [covered, saying("in_sessions_at", { cwd: "/arbeit" })],
      },
      grantKey: "bauen",
    };
    const gateway = owned.use(
      await openScriptedGateway(sayAndAsk(["Gut."], [lasting]), {
        away: saying("agent_not_signed_in"),
        refuseCwd: async (cwd) => (cwd === "/fort" ? saying("folder_missing") : undefined),
      }),
    );
    const sessionId = await gateway.start("Nur bauen");
    const device = await openDevice(gateway, { locale: "de-AT" });
    const { page } = device;
    const walk = createWalk(device);
    await device.open("/devices");
    await walk.look("own name", page.getByText("Chrome auf Linux"));
    await device.open("/");
    await walk.look("agents", page.getByText(/Claude hat hier weder Schlüssel noch Anmeldung/u));
    await refuseFolder(walk);
    await device.open(`/s/${sessionId}`);
    const card = page.getByRole("log").getByRole("article", { name: "npm run build" });
    const scopes = await openScopes(device, card, "Für länger erlauben");
    await walk.look("why", card.getByText("seine Einstellung core.pager"));
    await walk.look("scopes", scopes.getByText(/Genau der Befehl »/u));
    await device.press(button(scopes, "Immer erlauben"));
    await walk.look("allowed", page.getByRole("log").getByText(/Genau der Befehl/u));
    await device.open("/history");
    await device.press(page.getByRole("button", { name: /npm run build ausführen\?/u }));
    await walk.look("history", page.locator(".history-body").getByText(/Genau der Befehl/u));
    await device.open("/grants");
    await walk.look("grants", page.getByText(/^Genau der Befehl .*In jeder Sitzung, in \/arbeit/u));
    await addRule(walk);
    await page.goto("/offline.html");
    await walk.look("offline", page.getByText("Diese Seite versucht es von selbst wieder."));
    expect(await page.getByText("This page tries again by itself.").isVisible()).toBe(false);
    expect(walk.found).toEqual({});
  });

  test("appears without a reload, and keeps the typed text", async ({ owned, openDevice }) => {
    const gateway = owned.use(await openScriptedGateway(script));
    const sessionId = await gateway.start("Termine ordnen");
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${sessionId}`);
    const form = page.getByRole("log").getByRole("article", { name: "Wer ist zuständig?" });
    await form.getByRole("textbox", { name: "Wer" }).fill("Ada");
    await page.getByRole("textbox", { name: "Message" }).fill("Halb geschr");
    await page.evaluate(() => Reflect.set(globalThis, "isSamePage", true));
    const other = await device.context.newPage();
    await other.goto("/devices");
    await chooseGerman(other);
    await page.getByText("Wartet auf Sie: 4 Anfragen").waitFor();
    await expect.poll(() => findEnglish(page)).toEqual([]);
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    expect(await page.getByRole("textbox", { name: "Nachricht" }).inputValue()).toBe("Halb geschr");
    expect(await form.getByRole("textbox", { name: "Wer" }).inputValue()).toBe("Ada");
    expect(await page.evaluate(() => Reflect.get(globalThis, "isSamePage"))).toBe(true);
  });
});

async function walkDialogs({ device, look }: Walk, answered: string): Promise<void> {
  const { page } = device;
  await device.open(`/s/${answered}`);
  await look("answered", page.getByRole("log").getByText("Auf einem anderen Gerät beantwortet"));
  await page.getByRole("log").focus();
  await page.keyboard.press("?");
  await look("keys", page.getByText("Nächste offene Anfrage"));
  await page.keyboard.press("Escape");
  await device.press(button(page, "Neue Sitzung"));
  await look("new session", button(page, "Sitzung starten"));
  await page.keyboard.press("Escape");
  const entry = page.getByRole("navigation", { name: "Sitzungen" }).getByRole("listitem").last();
  await entry.hover();
  await device.press(entry.getByRole("button", { name: /^Aktionen für/ }));
  const remove = page.getByRole("menuitem", { name: "Löschen" });
  await look("actions", remove);
  await device.press(remove);
  await look("delete", button(page, "Endgültig löschen"));
  await page.keyboard.press("Escape");
  const inbox = page.getByRole("complementary", { name: "Eingang" });
  await device.press(inbox.locator(".inbox-line").first());
  await look("inbox", inbox.getByRole("link", { name: "Unterhaltung öffnen" }));
  await device.press(button(inbox, "1 Stunde"));
  await look("snoozed", inbox.getByText("Zurückgestellt (1)"));
}

async function walkTabs({ device, look }: Walk, answered: string): Promise<void> {
  const { page } = device;
  await device.open(`/s/${answered}`);
  await look("answered", page.getByRole("log").getByText("Auf einem anderen Gerät beantwortet"));
  const tabs = page.getByRole("navigation", { name: "Ansichten" });
  await device.press(tabs.getByRole("button", { name: "Sitzungen" }));
  await look("sessions", button(page, "Neue Sitzung"));
  await device.press(tabs.getByRole("button", { name: "Eingang" }));
  await look("inbox", page.locator(".inbox-line"));
}

/** The gateway refuses a folder. */
async function refuseFolder({ device, look }: Walk): Promise<void> {
  const { page } = device;
  await device.press(button(page, "Neue Sitzung"));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Verzeichnis" }).fill("/fort");
  await device.press(button(dialog, "Sitzung starten"));
  device.allowProblem(/status of 422/u);
  await look("refused", dialog.getByText("Diesen Ordner gibt es nicht."));
  await page.keyboard.press("Escape");
}

/** Adds a rule that allows nothing, then one that would have covered nothing. */
async function addRule({ device, look }: Walk): Promise<void> {
  const { page } = device;
  await device.press(button(page, "Regel hinzufügen"));
  const dialog = page.getByRole("dialog");
  const pattern = dialog.getByRole("textbox").first();
  await pattern.fill("npm run * > a");
  await device.press(button(dialog, "Zeigen, was sie deckt"));
  await look(
    "no rule",
    dialog.getByText(/Das kann ein Muster nicht enthalten: eine Umleitung/u).first(),
  );
  await pattern.fill("npm run test");
  await device.press(button(dialog, "Zeigen, was sie deckt"));
  await look("rule text", dialog.getByText(/^Ohne Nachfrage erlauben, in /u));
  await page.keyboard.press("Escape");
}
