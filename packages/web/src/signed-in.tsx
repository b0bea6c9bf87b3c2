import {
  createBrowserDrafts,
  createBrowserTransport,
  createMemoryDrafts,
  type Transport,
} from "@holdpoint/client";
import { HoldpointProvider } from "@holdpoint/react";
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from "react";

import { CardPage } from "./card-page/card-page.tsx";
import type { DeviceStorage } from "./device/device-storage.ts";
import { useRoute } from "./use-route.ts";

const Shell = lazy(async () => ({ default: (await import("./shell/shell.tsx")).Shell }));

interface SignedInProps {
  readonly token: string;
  readonly clientId: string;
  readonly storage: DeviceStorage;
  /** The gateway does not accept the token any more. */
  readonly onRevoked: () => void;
}

/** The page of a browser that is signed in. */
export function SignedIn({ token, clientId, storage, onRevoked }: SignedInProps): ReactNode {
  const transport = useOwnTransport(token, clientId, onRevoked);
  const drafts = useMemo(() => createDrafts(), []);
  const route = useRoute();
  if (transport === undefined) return null;
  return (
    <HoldpointProvider transport={transport} drafts={drafts}>
      <Suspense>
        {route.name === "interaction" ? (
          <CardPage interactionId={route.interactionId} />
        ) : (
          <Shell storage={storage} />
        )}
      </Suspense>
    </HoldpointProvider>
  );
}

/** A transport that lives exactly as long as the component. */
function useOwnTransport(
  token: string,
  clientId: string,
  onRevoked: () => void,
): Transport | undefined {
  const [transport, setTransport] = useState<Transport>();
  useEffect(() => {
    const own = createBrowserTransport({
      baseUrl: location.origin,
      token,
      clientId,
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (response.status === 401) onRevoked();
        return response;
      },
    });
    // oxlint-disable-next-line react/set-state-in-effect -- what the effect opens, it closes
    setTransport(own);
    return () => void own[Symbol.asyncDispose]();
  }, [token, clientId, onRevoked]);
  return transport;
}

function createDrafts(): ReturnType<typeof createBrowserDrafts> {
  try {
    return createBrowserDrafts(localStorage);
  } catch {
    // Reading `localStorage` itself throws where storage is refused.
    return createMemoryDrafts();
  }
}
