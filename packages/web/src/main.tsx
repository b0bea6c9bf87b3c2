import { createBrowserRandomness } from "@holdpoint/client";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App, exchangeCode } from "./app.tsx";
import { CrashScreen } from "./crash-screen.tsx";
import { createDeviceStorage, readClientId } from "./device/device-storage.ts";
import { takeLaunchCode } from "./launch/launch-code.ts";

import "@holdpoint/react/styles/tokens.css";
import "@holdpoint/react/styles/parts.css";
import "@holdpoint/react/styles/cards.css";
import "./styles/base.css";

const code = takeLaunchCode(location, history);
const storage = createDeviceStorage(() => localStorage, window);
const clientId = readClientId(storage, () => createBrowserRandomness().key());
const launch = code === undefined ? undefined : exchangeCode(code);
const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <CrashScreen>
      <App storage={storage} clientId={clientId} launch={launch} />
    </CrashScreen>
  </StrictMode>,
);
