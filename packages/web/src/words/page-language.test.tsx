// @vitest-environment happy-dom
import { ENGLISH } from "@holdpoint/react/words";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDeviceStorage } from "../device/device-storage.ts";
import { LanguageSection } from "../devices/language-section.tsx";
import { PageLanguageProvider } from "./page-language-provider.tsx";
import { loadPageLanguage, toLanguageTag } from "./page-language.ts";

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  document.documentElement.removeAttribute("lang");
});

test.each([
  [undefined, ["de-AT", "en-GB"], "de-AT"],
  [undefined, ["fr", "de", "en"], "de"],
  ["de", ["fr", "de-AT"], "de-AT"],
  [undefined, ["fr"], "en"],
  [undefined, [], "en"],
  ["de", ["en-GB"], "de"],
  ["en", ["de", "en-GB"], "en-GB"],
  // Whatever else has written there.
  ["constructor", ["de"], "en"],
])("chosen %s on a browser with %j is %s", (chosen, preferred, tag) => {
  expect(toLanguageTag(chosen, preferred)).toBe(tag);
});

const storage = () => createDeviceStorage(() => localStorage, window);
const show = () =>
  render(
    <PageLanguageProvider storage={storage()} initial={ENGLISH}>
      <LanguageSection />
    </PageLanguageProvider>,
  );

test("a choice changes the page without a reload, sets the document's language, and is kept", async () => {
  show();
  expect(document.documentElement.lang).toBe("en");
  fireEvent.change(screen.getByRole("combobox", { name: "Language" }), { target: { value: "de" } });
  await screen.findByRole("combobox", { name: "Sprache" });
  expect(document.documentElement.lang).toBe("de");
  expect(document.documentElement.dir).toBe("ltr");
  expect(storage().read("language")).toBe("de");
});

test("a choice in another tab changes this one, too", async () => {
  show();
  localStorage.setItem("holdpoint.language", "de");
  await act(async () =>
    window.dispatchEvent(new StorageEvent("storage", { key: "holdpoint.language" })),
  );
  await vi.waitFor(() => expect(screen.getByRole("combobox", { name: "Sprache" })).toBeTruthy());
});

test("German comes with the cards' own texts and the browser's variant", async () => {
  const german = await loadPageLanguage("de-AT");
  expect(german).toMatchObject({ tag: "de", locale: "de-AT" });
  expect(german.texts).toMatchObject({ Deny: "Ablehnen", Language: "Sprache" });
});
