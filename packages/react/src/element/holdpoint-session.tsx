import {
  createBrowserDrafts,
  createBrowserRandomness,
  createBrowserTransport,
  type Transport,
} from "@holdpoint/client";
import { createRoot, type Root } from "react-dom/client";

import { Conversation } from "../conversation/conversation.tsx";
import { HoldpointProvider } from "../hooks/provider.tsx";
import { LanguageProvider } from "../words/language-provider.tsx";

import styles from "../styles/embed.css?inline";
import ownStyles from "./host.css?inline";

const CLIENT_KEY = "holdpoint.client";

/**
 * `<holdpoint-session gateway="https://…" session="ses_…" lang="de">`, for pages without React: one conversation with
 * its cards, with its own styles. It needs a height, and the property `token` (no attribute, since those are readable
 * in the page's HTML). Until all three are set, nothing is shown or connected. Removing the element ends its streams.
 */
export class HoldpointSession extends HTMLElement {
  static readonly observedAttributes = ["gateway", "session", "lang"];
  #token: string | undefined;
  #shown: { readonly root: Root; readonly transport: Transport } | undefined;

  /** A program's token with the scope `respond`. It cannot be read back. */
  set token(token: string | undefined) {
    this.#token = token;
    this.#show();
  }

  connectedCallback(): void {
    this.#takeEarlierToken();
    this.#show();
  }

  disconnectedCallback(): void {
    this.#hide();
  }

  attributeChangedCallback(): void {
    this.#show();
  }

  /** Takes over a `token` property that was set before this script was loaded. */
  #takeEarlierToken(): void {
    const { value } = Object.getOwnPropertyDescriptor(this, "token") ?? {};
    if (typeof value !== "string") return;
    Reflect.deleteProperty(this, "token");
    this.#token = value;
  }

  #show(): void {
    this.#hide();
    const [gateway, sessionId] = [this.getAttribute("gateway"), this.getAttribute("session")];
    const token = this.#token;
    if (!this.isConnected || gateway === null || sessionId === null || token === undefined) return;
    const shadow = this.shadowRoot ?? this.#openShadow();
    const baseUrl = new URL(gateway, this.ownerDocument.baseURI).href.replace(/\/$/, "");
    const clientId = readClientId();
    const transport = createBrowserTransport({ baseUrl, token: () => token, clientId });
    const root = createRoot(shadow);
    root.render(
      <LanguageProvider language={this.lang === "de" ? "de" : "en"}>
        <HoldpointProvider transport={transport} drafts={createBrowserDrafts(localStorage)}>
          <Conversation sessionId={sessionId} />
        </HoldpointProvider>
      </LanguageProvider>,
    );
    this.#shown = { root, transport };
  }

  #hide(): void {
    if (this.#shown === undefined) return;
    const { root, transport } = this.#shown;
    this.#shown = undefined;
    root.unmount();
    void transport[Symbol.asyncDispose]();
  }

  #openShadow(): ShadowRoot {
    const shadow = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${styles}\n${ownStyles}`);
    shadow.adoptedStyleSheets = [sheet];
    return shadow;
  }
}

/** One id per browser and origin, so that "on this device" is still right after a reload. */
function readClientId(): string {
  const known = localStorage.getItem(CLIENT_KEY) ?? createBrowserRandomness().key();
  localStorage.setItem(CLIENT_KEY, known);
  return known;
}

if (customElements.get("holdpoint-session") === undefined) {
  customElements.define("holdpoint-session", HoldpointSession);
}
