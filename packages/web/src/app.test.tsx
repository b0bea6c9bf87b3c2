// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { App } from "./app.tsx";
import { createDeviceStorage, type DeviceStorage } from "./device/device-storage.ts";

/** A gateway's HTTP side: what it was asked, and with which status it answers. */
function stubGateway(status: number): { readonly authorizations: (string | null)[] } {
  const authorizations: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_input: unknown, init?: RequestInit) => {
    authorizations.push(new Headers(init?.headers).get("authorization"));
    const body = {
      type: "about:blank",
      title: "Not signed in",
      status,
      code: "UNAUTHENTICATED",
      detail: "No.",
      retryable: false,
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/problem+json" },
    });
  });
  return { authorizations };
}

let storage: DeviceStorage;
beforeEach(() => {
  localStorage.clear();
  storage = createDeviceStorage(() => localStorage, window);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (launch?: Promise<string>) =>
  render(<App storage={storage} clientId="client-1" launch={launch} />);
const heading = async (name: RegExp) => screen.findByRole("heading", { level: 1, name });

describe("the way in", () => {
  test("without a token the page says how to get in", async () => {
    show();
    await heading(/Open the launch link/);
    expect(screen.getByText("npx holdpoint link")).toBeTruthy();
  });

  test("a launch code becomes a token that is kept on this device", async () => {
    const { authorizations } = stubGateway(401);
    await act(async () => void show(Promise.resolve("token-1")));
    await vi.waitFor(() => expect(authorizations).toContain("Bearer token-1"));
  });

  test("a used code does not throw out whoever is in already", async () => {
    storage.write("token", "token-0");
    const { authorizations } = stubGateway(503);
    await act(async () => void show(Promise.reject(new ProtocolError("UNAUTHENTICATED", "Used."))));
    await vi.waitFor(() => expect(authorizations).toContain("Bearer token-0"));
    expect(storage.read("token")).toBe("token-0");
  });

  test.each([
    [new ProtocolError("UNAUTHENTICATED", "Used."), /used already or is too old/],
    [new ClientError("CONNECTION_CLOSED", "gone"), /cannot be reached/],
  ])("a code that fails says why", async (error, words) => {
    show(Promise.reject(error));
    expect(await heading(words)).toBeTruthy();
  });

  test("a revoked token is forgotten, and the page says so", async () => {
    storage.write("token", "token-1");
    stubGateway(401);
    await act(async () => void show());
    await heading(/was signed out/);
    expect(storage.read("token")).toBeUndefined();
  });

  test("a launch link opened in another tab lets this one in", async () => {
    const { authorizations } = stubGateway(503);
    show();
    await heading(/Open the launch link/);
    localStorage.setItem("holdpoint.token", "token-2");
    await act(
      async () =>
        void window.dispatchEvent(new StorageEvent("storage", { key: "holdpoint.token" })),
    );
    await vi.waitFor(() => expect(authorizations).toContain("Bearer token-2"));
  });
});
