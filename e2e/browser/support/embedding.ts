import { createHttpTransport } from "@holdpoint/client";
import type { Page } from "playwright-core";

import { Api, until } from "../../support/api.ts";
import type { Device } from "../../support/browser.ts";
import { type GatewayProcess, startGateway, TOKEN } from "../../support/gateway-process.ts";
import { type EmbeddingPage, openEmbeddingPage } from "./embedding-page.ts";

/** An embedding page in front of a real gateway that allows its origin. */
export interface Embedding extends AsyncDisposable {
  readonly page: EmbeddingPage;
  readonly gateway: GatewayProcess;
}

export async function openEmbedding(): Promise<Embedding> {
  await using opening = new AsyncDisposableStack();
  const page = opening.use(await openEmbeddingPage("over-http"));
  const args = ["--agent", "demo", "--embed-origin", page.url];
  const gateway = opening.use(await startGateway({ args }));
  await page.build(gateway.url);
  const open = opening.move();
  return { page, gateway, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** Gives the device the token of an earlier sign-in at the page. */
export async function knowToken({ context }: Device): Promise<void> {
  await context.addInitScript((token) => {
    if (globalThis.self === globalThis.top) localStorage.setItem("harbor.holdpoint-token", token);
  }, TOKEN);
}

/** The page's one conversation. */
export async function findSession(api: Api): Promise<string> {
  const { body } = await api.call<{ items: { sessionId: string; title: string }[] }>(
    "GET",
    "/sessions",
  );
  const session = body.items.find(({ title }) => title === "Release 4.2");
  if (session === undefined) throw new Error("The page has started no conversation.");
  return session.sessionId;
}

/** Deletes the sessions of earlier tests, so that the page starts a new conversation. */
export async function forgetSessions({ gateway }: Pick<Embedding, "gateway">): Promise<void> {
  const api = new Api(gateway.url);
  const { body } = await api.call<{ items: { sessionId: string }[] }>("GET", "/sessions");
  for (const { sessionId } of body.items) await api.call("DELETE", `/sessions/${sessionId}`);
}

/** Follows the connected clients of a gateway until the condition holds. */
export async function untilPresent(
  gateway: { readonly url: string },
  holds: (clientIds: readonly string[]) => boolean,
): Promise<void> {
  const clientId = "watcher";
  const options = { baseUrl: gateway.url, token: TOKEN, clientId };
  await using transport = createHttpTransport(options);
  const signal = AbortSignal.timeout(30_000);
  for await (const frames of transport.followOverview({ signal })) {
    for (const frame of frames) {
      if (frame.type !== "presence") continue;
      const others = frame.clients.map((client) => client.clientId);
      if (holds(others.filter((other) => other !== clientId))) return;
    }
  }
  throw new Error("The stream ended.");
}

/** The computed style of everything the selector finds, without custom properties. */
export function looksOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((root) => {
    const known = [...getComputedStyle(document.documentElement)];
    const names = known.filter((name) => !name.startsWith("--"));
    return [...document.querySelectorAll(root)].map((element) => {
      const looks = ["", "::before", "::after"].map((pseudoElement) => {
        const style = getComputedStyle(element, pseudoElement);
        // The pseudo-element does not exist.
        if (pseudoElement !== "" && style.content === "none") return "";
        return names.map((name) => `${name}: ${style.getPropertyValue(name)}`).join("; ");
      });
      return `${element.outerHTML.slice(0, 60)}; ${looks.join("; ")}`;
    });
  }, selector);
}

/** The same as `looksOf`, once nothing moves or loads. */
export function looksAtRest(page: Page, selector: string): Promise<string[]> {
  let before: string[] | undefined;
  return until(async () => {
    const looks = await looksOf(page, selector);
    const isAtRest = before !== undefined && changesOf(before, looks).length === 0;
    before = looks;
    return isAtRest && looks;
  }, "the page to come to rest");
}

/** What changed between two looks at the same elements. */
export function changesOf(before: readonly string[], after: readonly string[]): string[] {
  if (before.length !== after.length) return [`${before.length} elements became ${after.length}`];
  return before.flatMap((look, index) => {
    const others = after[index]?.split("; ") ?? [];
    const changed = look.split("; ").flatMap((declaration, place) => {
      const other = others[place];
      return declaration === other ? [] : [`${declaration} became ${other}`];
    });
    return changed.length === 0 ? [] : [`${look.slice(0, 60)} ${changed.join(", ")}`];
  });
}

/** Switches the stylesheets with a matching address on or off. */
export async function switchStyles(page: Page, address: RegExp, on: boolean): Promise<void> {
  const count = await page.evaluate(
    ([pattern, isOn]) => {
      const sheets = [...document.styleSheets].filter(
        ({ href }) => href !== null && new RegExp(pattern).test(href),
      );
      for (const sheet of sheets) sheet.disabled = !isOn;
      return sheets.length;
    },
    [address.source, on] as const,
  );
  if (count === 0) throw new Error(`No stylesheet matches ${address.source}.`);
}
