import { createBrowserRandomness, createBrowserTransport } from "holdpoint/client";

const TOKEN = "harbor.holdpoint-token";
const CLIENT = "harbor.holdpoint-client";

/** The transport to the gateway, open as long as the page. The token stays in this origin's storage and in a header. */
export function openTransport(gateway: string): ReturnType<typeof createBrowserTransport> {
  const clientId = localStorage.getItem(CLIENT) ?? createBrowserRandomness().key();
  localStorage.setItem(CLIENT, clientId);
  return createBrowserTransport({
    baseUrl: gateway,
    token: () => localStorage.getItem(TOKEN) ?? undefined,
    clientId,
  });
}

export function isSignedIn(): boolean {
  return localStorage.getItem(TOKEN) !== null;
}

/** Stores a program token that a person created for this page, and can revoke. */
export function signIn(token: string): void {
  localStorage.setItem(TOKEN, token.trim());
}
