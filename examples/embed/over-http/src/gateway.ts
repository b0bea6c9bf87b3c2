import {
  createBrowserRandomness,
  createBrowserTransport,
  exchangeLaunchCode,
} from "holdpoint/client";

const TOKEN = "harbor.holdpoint-token";
const CLIENT = "harbor.holdpoint-client";

/** The way to the gateway, open for as long as the page. The token stays in this origin's storage and in a header. */
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

/** Trades the one-time code of a launch link for a token of this browser alone, which can be revoked alone. */
export async function signIn(gateway: string, link: string): Promise<void> {
  const code = new URLSearchParams(link.split("#")[1]).get("code") ?? "";
  const { token } = await exchangeLaunchCode({ baseUrl: gateway, code, label: "Harbor" });
  localStorage.setItem(TOKEN, token);
}
