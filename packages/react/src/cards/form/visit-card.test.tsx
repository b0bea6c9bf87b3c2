// @vitest-environment happy-dom
import type { Form, Interaction } from "@holdpoint/protocol";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import { aFormInteraction } from "../../testing/interactions.ts";
import { answeredHere, renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const asked = (form: Partial<Form>, over: Partial<Interaction> = {}): Interaction =>
  aFormInteraction({
    onTimeout: "deny",
    prompt: "Sign in.",
    form: {
      schema: { type: "object", properties: {} },
      server: { name: "files", requestId: "1" },
      ...form,
    },
    ...over,
  });
const renderVisit = async (url: string, options: Parameters<typeof renderCard>[1] = {}) => {
  const rendered = renderCard(asked({ visit: { url } }), options);
  await screen.findByText(/comes from .*, not the agent/u);
  return rendered;
};
const link = () =>
  screen.queryByRole<HTMLAnchorElement>("link", { name: "Open this page in a new tab" });

describe("a card that asks to visit a page", () => {
  test("names the asker, the host and the whole address, and opens exactly that in a new tab", async () => {
    const url = "https://example.com:8443/oauth?next=%2Fx";
    const { container } = await renderVisit(url);
    expect(container.querySelector(".hp-visit-host")?.textContent).toBe("example.com:8443");
    expect(container.querySelector(".hp-visit-address")?.textContent).toBe(url);
    expect(link()).toMatchObject({ href: url, target: "_blank", rel: "noopener noreferrer" });
    expect(container.querySelectorAll("a, img, iframe, link")).toHaveLength(1);
  });

  test.each([
    ["https://аррӏе.example/x", "xn--80ak6aa92e.example", /may only look like/u],
    ["http://localhost:3000/x", "localhost:3000", /machine that runs the gateway/u],
  ])("warns of %s", async (url, host, warning) => {
    const { container } = await renderVisit(url);
    expect(container.querySelector(".hp-visit-host")?.textContent).toBe(host);
    expect(screen.getByText(warning)).toBeTruthy();
  });

  test.each(["javascript:alert(1)", "https://google.com@evil.example/", "file:///etc/passwd"])(
    "has no link for %s, whatever a gateway sends",
    async (url) => {
      const { container } = await renderVisit(url);
      expect(link()).toBeNull();
      expect(container.querySelector("a")).toBeNull();
    },
  );

  test("has no link for a person who may only look", async () => {
    await renderVisit("https://example.com/", { canRespond: false });
    expect(link()).toBeNull();
    expect(screen.queryByText(/press Done/u)).toBeNull();
  });

  test.each([
    ["Done", { action: "submit", values: {} }],
    ["Decline", { action: "deny" }],
    ["Cancel", { action: "cancel" }],
  ])("sends the response of %s", async (name, body) => {
    const { gateway } = await renderVisit("https://example.com/");
    fireEvent.click(screen.getByRole("button", { name }));
    expect(gateway.sent).toEqual([body]);
  });

  test("afterwards shows the answer, and where the link led", async () => {
    const interaction = asked({ visit: { url: "https://example.com/setup" } });
    renderCard(answeredHere(interaction, { action: "submit", values: {} }));
    expect(screen.getByText("Done:")).toBeTruthy();
    await screen.findByText("example.com", { selector: ".hp-done-subject" });
    cleanup();
    renderCard(answeredHere(interaction, { action: "deny" }));
    expect(screen.getByText("Declined")).toBeTruthy();
  });
});

describe("a form of an MCP server", () => {
  const schema = (sensitive: boolean) => ({
    type: "object" as const,
    properties: { key: { type: "string" as const, title: "Key", ...(sensitive && { sensitive }) } },
  });

  test("warns of a secret that such a form must not ask for, and of nothing else", async () => {
    renderCard(asked({ schema: schema(true) }));
    await screen.findByText(/must not do/u);
    expect(screen.getByText(/goes through the agent’s program to the server/u)).toBeTruthy();
    cleanup();
    renderCard(asked({ schema: schema(false) }));
    await screen.findByRole("button", { name: "Decline" });
    expect(screen.queryByText(/must not do/u)).toBeNull();
  });

  test("has no Decline if an agent asks", async () => {
    renderCard(aFormInteraction());
    await screen.findByRole("button", { name: "Submit" });
    expect(screen.queryByRole("button", { name: "Decline" })).toBeNull();
  });
});
