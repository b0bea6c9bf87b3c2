// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, expect, test } from "vitest";

import { preloadCards } from "../cards/cards-seam.ts";
import { aFormInteraction, anApprovalInteraction } from "../testing/interactions.ts";
import { renderCard } from "../testing/render-card.tsx";
import { LanguageProvider } from "./language-provider.tsx";
import { loadLanguage } from "./load-language.ts";
import { ENGLISH, type Language } from "./translate.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const card = (language: string | Language) =>
  renderCard(anApprovalInteraction(), {
    wrap: (children) => <LanguageProvider language={language}>{children}</LanguageProvider>,
  });

test("a card speaks English by default", () => {
  renderCard(anApprovalInteraction());
  expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
});

test("a card speaks the language of its provider, and declares it", async () => {
  const { container } = card("de-AT");
  expect(container.textContent).toBe("");
  expect(await screen.findByRole("button", { name: "Ablehnen" })).toBeTruthy();
  expect(container.querySelector(".hp-interaction")?.getAttribute("lang")).toBe("de");
  expect(container.querySelector(".hp-interaction")?.getAttribute("dir")).toBe("ltr");
});

test("the language changes without a reload, and without an announcement", async () => {
  const german = await loadLanguage("de");
  const view = card(ENGLISH);
  expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
  view.rewrap((children) => <LanguageProvider language={german}>{children}</LanguageProvider>);
  expect(screen.getByRole("button", { name: "Ablehnen" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Deny" })).toBeNull();
  // The same state in other words is not announced.
  expect(view.announced()).toBe("");
});

test.each([
  ["en", "The program is notified at ci.example.org"],
  ["de", "Das Programm erfährt es über ci.example.org"],
])("a card names the receiver of the result: %s", async (language, line) => {
  const asked = { ...anApprovalInteraction(), hold: "kept", agentId: "CI: deploy.sh" } as const;
  const provided = (children: ReactNode) => (
    <LanguageProvider language={language}>{children}</LanguageProvider>
  );
  const view = renderCard({ ...asked, callbackHost: "ci.example.org" }, { wrap: provided });
  await screen.findAllByRole("button");
  expect(view.container.textContent).toContain(line);
  view.show(asked);
  expect(view.container.textContent).not.toContain("ci.example.org");
});

test.each([
  ["en", "Answer"],
  ["de", "Antwort"],
])("a form shows only the gateway's titles in its language: %s", async (tag, title) => {
  const form = aFormInteraction();
  const properties = {
    answer: { type: "string" as const, title: "Answer" },
    reply: { type: "string" as const, title: "Answer" },
  };
  const said = { answer: [{ code: "field_answer" }] };
  renderCard(
    { ...form, form: { schema: { type: "object", properties }, said } },
    { wrap: (children) => <LanguageProvider language={tag}>{children}</LanguageProvider> },
  );
  const fields = await screen.findAllByRole("textbox");
  const labels = fields.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? "");
  expect(labels[0]).toMatch(new RegExp(`^${title}`, "u"));
  expect(labels[1]).toMatch(/^Answer/u);
});

test("an unknown language is English", async () => {
  card("tlh");
  expect(await screen.findByRole("button", { name: "Deny" })).toBeTruthy();
});

test("a card in a right-to-left language declares its direction", () => {
  const { container } = card({ tag: "ar", texts: { Deny: "رفض" } });
  expect(container.querySelector(".hp-interaction")?.getAttribute("dir")).toBe("rtl");
  expect(screen.getByRole("button", { name: "رفض" })).toBeTruthy();
});
