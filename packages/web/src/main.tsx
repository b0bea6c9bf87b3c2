import { createBrowserRandomness } from "@holdpoint/client";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app.tsx";
import { CrashScreen } from "./crash-screen.tsx";
import { createDeviceStorage, readClientId } from "./device/device-storage.ts";
import { createDeviceVault } from "./device/device-vault.ts";
import { takeLaunchLink } from "./launch/launch-link.ts";
import { signIn } from "./launch/sign-in.ts";
import { PageLanguageProvider } from "./words/page-language-provider.tsx";
import { loadPageLanguage, toLanguageTag } from "./words/page-language.ts";

import "@holdpoint/react/styles/tokens.css";
import "@holdpoint/react/styles/parts.css";
import "@holdpoint/react/styles/cards.css";
import "./styles/base.css";

const link = takeLaunchLink(location, history);
const storage = createDeviceStorage(() => localStorage, window);
const vault = createDeviceVault(() => indexedDB);
const clientId = readClientId(storage, () => createBrowserRandomness().key());
const launch = link && signIn(link, vault);
const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no #root.");
const page = createRoot(root);
const tag = toLanguageTag(storage.read("language"), navigator.languages);
void loadPageLanguage(tag).then((language) =>
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
