import {
  createBrowserDrafts,
  createBrowserTransport,
  createDeviceSigner,
  createMemoryDrafts,
  type SignedInDevice,
  type Transport,
} from "@holdpoint/client";
import {
  CodeHighlightContext,
  createSeam,
  HoldpointProvider,
  preloadCards,
  preloadMarkdown,
  type HighlightCode,
} from "@holdpoint/react";
import { useEffect, useMemo, useState, type ReactNode } from "react";

import { pageUrl } from "./base-path.ts";
import { CardPage } from "./card-page/card-page.tsx";
import type { DeviceStorage } from "./device/device-storage.ts";
import { NothingYet } from "./launch/launch-seam.ts";
import { OtherProgram } from "./launch/other-program.tsx";
import { PAGES } from "./shell/pages-seam.ts";
import { readRoute, useRoute } from "./use-route.ts";

const SHELL = createSeam(() => import("./shell/shell.tsx"));
// Starts loading while the browser reads the key of its device. A failure is retried when the part is drawn.
void preloadCards();
if (readRoute().name !== "interaction") {
  void Promise.allSettled([SHELL.load(), preloadMarkdown()]);
}

/** Long enough for the current page to be shown first. */
const IDLE = { timeout: 2000 };

const highlightLater: HighlightCode = async (code, language) =>
  (await import("./code/highlight-code.ts")).codeHighlighter.highlight(code, language);

let hasRest = false;

/** Called once, when the gateway is reachable. If it goes away in between, loading is retried when it is back. */
function loadRestOnce(): void {
  if (hasRest) return;
  hasRest = true;
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => run());
  idle(() => void loadAll(), IDLE);
}

async function loadAll(): Promise<void> {
  try {
    const [{ loadRest }] = await Promise.all([PAGES.load(), SHELL.load()]);
    await loadRest();
  } catch {
    hasRest = false;
  }
}

/** Why the gateway no longer accepts the device. */
export type SignOutReason = "ended" | "revoked";

interface SignedInProps {
  readonly device: SignedInDevice;
  readonly clientId: string;
  readonly storage: DeviceStorage;
  readonly onSignedOut: (reason: SignOutReason) => void;
}

/** The page of a browser that is signed in. */
export function SignedIn(props: SignedInProps): ReactNode {
  const { storage } = props;
  const { transport, isOther } = useOwnTransport(props);
  const drafts = useMemo(() => createDrafts(), []);
  const route = useRoute();
  if (transport === undefined) return null;
  return (
    <HoldpointProvider transport={transport} drafts={drafts}>
      {isOther && <OtherProgram />}
      <CodeHighlightContext value={highlightLater}>
        {route.name === "interaction" ? (
          <CardPage interactionId={route.interactionId} />
        ) : (
          <SHELL.Part of="Shell" instead={NothingYet} storage={storage} />
        )}
      </CodeHighlightContext>
    </HoldpointProvider>
  );
}

/** A transport that lives as long as the component, and whether another program answers instead of the gateway. */
function useOwnTransport({ device, clientId, onSignedOut }: SignedInProps): {
  readonly transport: Transport | undefined;
  readonly isOther: boolean;
} {
  const [transport, setTransport] = useState<Transport>();
  const [isOther, setIsOther] = useState(false);
  useEffect(() => {
    const baseUrl = pageUrl();
    const onChecked = (result: "known" | "unknown"): void => {
      setIsOther(result === "unknown");
      if (result === "known") loadRestOnce();
    };
    const own = createBrowserTransport({
      baseUrl,
      token: createDeviceSigner({ baseUrl, device, onChecked }),
      clientId,
      async fetch(input, init) {
        const response = await fetch(input, init);
        const reason = response.status === 401 && (await readSignOut(response.clone()));
        if (reason) onSignedOut(reason);
        return response;
      },
    });
    // oxlint-disable-next-line react/set-state-in-effect -- the effect also disposes the transport
    setTransport(own);
    return () => void own[Symbol.asyncDispose]();
  }, [device, clientId, onSignedOut]);
  return { transport, isOther };
}

/** The reason of a sign-out; `undefined` if the response only rejects a single proof. */
async function readSignOut(response: Response): Promise<SignOutReason | undefined> {
  const { code } = (await response.json()) as { code: string };
  if (code === "CREDENTIAL_ENDED") return "ended";
  return code === "UNAUTHENTICATED" ? "revoked" : undefined;
}

function createDrafts(): ReturnType<typeof createBrowserDrafts> {
  try {
    return createBrowserDrafts(localStorage);
  } catch {
    // Accessing `localStorage` itself throws if storage is refused.
    return createMemoryDrafts();
  }
}
