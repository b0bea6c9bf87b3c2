import { createBrowserRandomness, type SignedInDevice } from "@holdpoint/client";
import { translateTo } from "@holdpoint/react/words";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app.tsx";
import { CrashScreen } from "./crash-screen.tsx";
import { createDeviceStorage, readClientId } from "./device/device-storage.ts";
import { createDeviceVault } from "./device/device-vault.ts";
import { type IssuerAnswer, takeIssuerAnswer } from "./launch/issuer-answer.ts";
import { hasLaunchLink, type LaunchLink, takeLaunchLink } from "./launch/launch-link.ts";
import { LAUNCH } from "./launch/launch-seam.ts";
import { PageLanguageProvider } from "./words/page-language-provider.tsx";
import { loadPageLanguage, toLanguageTag } from "./words/page-language.ts";
import type { Say } from "./words/use-words.ts";

import "@holdpoint/react/styles/tokens.css";
import "@holdpoint/react/styles/parts.css";
import "@holdpoint/react/styles/cards.css";
import "./styles/base.css";
import "./styles/frame.css";

async function goIn(opened: LaunchLink, say: Say): Promise<SignedInDevice> {
  const { signIn } = await LAUNCH.load();
  return signIn(opened, vault, say);
}

/** Completes a sign-in after a redirect from an issuer. */
async function comeBack(brought: IssuerAnswer, say: Say): Promise<SignedInDevice> {
  const { finishAtIssuer } = await LAUNCH.load();
  return finishAtIssuer(brought, vault, say);
}

const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no #root.");
// A launch link pasted into an open tab only changes the fragment, which does not load the page.
addEventListener("hashchange", () => hasLaunchLink(location) && location.reload());
const link = takeLaunchLink(location, history);
const answer = takeIssuerAnswer(location, history);
const storage = createDeviceStorage(() => localStorage, window);
const vault = createDeviceVault(() => indexedDB);
const clientId = readClientId(storage, () => createBrowserRandomness().key());
const tag = toLanguageTag(storage.read("language"), navigator.languages);
const loading = loadPageLanguage(tag);
const launch =
  (link && loading.then((language) => goIn(link, translateTo(language)))) ??
  (answer && loading.then((language) => comeBack(answer, translateTo(language))));
// Removes the static frame before the first paint of the page's contents, whose code may still be loading.
new MutationObserver((_, observer) => {
  if (root.querySelector("main, [role=alert]") === null) return;
  document.querySelector(".frame")?.remove();
  observer.disconnect();
}).observe(root, { childList: true, subtree: true });
const page = createRoot(root);
void loading.then((language) =>
  page.render(
    <StrictMode>
      <PageLanguageProvider storage={storage} initial={language}>
        <CrashScreen>
          <App storage={storage} vault={vault} clientId={clientId} launch={launch} />
        </CrashScreen>
      </PageLanguageProvider>
    </StrictMode>,
  ),
);
