// @vitest-environment happy-dom
import { ClientError, createDeviceKey, type SignedInDevice } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { App } from "./app.tsx";
import { createDeviceStorage, type DeviceStorage } from "./device/device-storage.ts";
import type { DeviceVault } from "./device/device-vault.ts";
import { LAUNCH } from "./launch/launch-seam.ts";
import { SignInError } from "./launch/sign-in-error.ts";

/** A vault in memory: happy-dom has no IndexedDB. The real one is tried in a browser, in e2e. */
function createTestVault(): DeviceVault & { device: SignedInDevice | undefined } {
  const vault = {
    device: undefined as SignedInDevice | undefined,
    read: async () => vault.device,
    async write(device: SignedInDevice | undefined) {
      vault.device = device;
    },
  };
  return vault;
}

async function createDevice(token: string): Promise<SignedInDevice> {
  return { key: await createDeviceKey(), token, tokenId: `id of ${token}`, gateway: "key" };
}

/** A server in the gateway's place, which records its requests. */
function stubGateway(status: number): { readonly paths: string[]; readonly secrets: string[] } {
  const paths: string[] = [];
  const secrets: string[] = [];
  vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
    paths.push(new URL(input).pathname);
    const headers = new Headers(init?.headers);
    secrets.push(...["authorization", "dpop"].flatMap((name) => headers.get(name) ?? []));
    return new Response("{}", { status });
  });
  return { paths, secrets };
}

/** Parts of the page are loaded on first use. */
const PATIENCE = { timeout: 15_000 };

beforeAll(() => LAUNCH.load());

let storage: DeviceStorage;
let vault: ReturnType<typeof createTestVault>;
beforeEach(() => {
  localStorage.clear();
  storage = createDeviceStorage(() => localStorage, window);
  vault = createTestVault();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (launch?: Promise<SignedInDevice>) =>
  render(<App storage={storage} vault={vault} clientId="client-1" launch={launch} />);
const heading = async (name: RegExp) => screen.findByRole("heading", { level: 1, name });

describe("signing in", () => {
  test("without a sign-in the page explains how to get in", async () => {
    show();
    await heading(/Open the launch link/);
    expect(screen.getByText("holdpoint link")).toBeTruthy();
  });

  test("a launch link signs this device in, and other tabs learn only that", async () => {
    const { paths } = stubGateway(404);
    const device = await createDevice("token-1");
    await act(async () => void show(Promise.resolve(device)));
    await vi.waitFor(() => expect(paths).toContain("/api/auth/hello"), PATIENCE);
    expect(storage.read("device")).toBe("id of token-1");
    expect(JSON.stringify(localStorage)).not.toContain('"token-1"');
  });

  test("nothing is sent to a server that cannot prove to be the gateway, and the page reports it", async () => {
    vault.device = await createDevice("token-1");
    const { paths, secrets } = stubGateway(200);
    await act(async () => void show());
    await screen.findByText("Another program is answering at this address.", {}, PATIENCE);
    expect(new Set(paths)).toEqual(new Set(["/api/auth/hello"]));
    expect(secrets).toEqual([]);
    expect(vault.device).toBeDefined();
  });

  test("a used code does not sign out a device that is signed in already", async () => {
    vault.device = await createDevice("token-0");
    const { paths } = stubGateway(503);
    await act(async () => void show(Promise.reject(new ProtocolError("UNAUTHENTICATED", "Used."))));
    await vi.waitFor(() => expect(paths).toContain("/api/auth/hello"), PATIENCE);
    expect(vault.device.token).toBe("token-0");
  });

  test.each([
    [new ProtocolError("UNAUTHENTICATED", "Used."), /has expired or was already used/],
    [new ClientError("CONNECTION_CLOSED", "gone"), /cannot be reached/],
    [new ClientError("GATEWAY_UNKNOWN", "other"), /not for the gateway at this address/],
    [new SignInError("insecure"), /not safe enough to sign in/],
    [new SignInError("storage_blocked"), /cannot save your sign-in/],
  ])("a failed sign-in shows the reason", async (error, words) => {
    show(Promise.reject(error));
    expect(await heading(words)).toBeTruthy();
  });

  test("a launch link opened in another tab also signs this tab in", async () => {
    const { paths } = stubGateway(503);
    show();
    await heading(/Open the launch link/);
    vault.device = await createDevice("token-2");
    localStorage.setItem("holdpoint.device", "id of token-2");
    await act(
      async () =>
        void window.dispatchEvent(new StorageEvent("storage", { key: "holdpoint.device" })),
    );
    await vi.waitFor(() => expect(paths).toContain("/api/auth/hello"), PATIENCE);
  });
});
