import {
  createBrowserDrafts,
  createBrowserTransport,
  createDeviceSigner,
  createMemoryDrafts,
  type SignedInDevice,
  type Transport,
} from "@holdpoint/client";
import { HoldpointProvider } from "@holdpoint/react";
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from "react";

import { CardPage } from "./card-page/card-page.tsx";
import type { DeviceStorage } from "./device/device-storage.ts";
import { useRoute } from "./use-route.ts";

const OtherProgram = lazy(async () => ({
  default: (await import("./launch/other-program.tsx")).OtherProgram,
}));
const Shell = lazy(async () => ({ default: (await import("./shell/shell.tsx")).Shell }));

/** Why the gateway does not know the device any more. */
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
      {isOther && (
        <Suspense>
          <OtherProgram />
        </Suspense>
      )}
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

/** A transport that lives exactly as long as the component, and whether another program answers in the gateway's place. */
function useOwnTransport({ device, clientId, onSignedOut }: SignedInProps): {
  readonly transport: Transport | undefined;
  readonly isOther: boolean;
} {
  const [transport, setTransport] = useState<Transport>();
  const [isOther, setIsOther] = useState(false);
  useEffect(() => {
    const baseUrl = location.origin;
    const onChecked = (result: "known" | "unknown"): void => {
      setIsOther(result === "unknown");
      if (result === "known") {
        void import("./load-rest.ts").then(({ loadRestOnce }) => loadRestOnce(), ignore);
      }
    };
    const own = createBrowserTransport({
      baseUrl,
      token: createDeviceSigner({ baseUrl, device, onChecked }),
      clientId,
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (response.status === 401) void readSignOut(response.clone()).then(onSignedOut, ignore);
        return response;
      },
    });
    // oxlint-disable-next-line react/set-state-in-effect -- what the effect opens, it closes
    setTransport(own);
    return () => void own[Symbol.asyncDispose]();
  }, [device, clientId, onSignedOut]);
  return { transport, isOther };
}

/** Rejects for an answer that is only about one proof. */
async function readSignOut(response: Response): Promise<SignOutReason> {
  const { code } = (await response.json()) as { code: string };
  if (code === "CREDENTIAL_ENDED") return "ended";
  if (code === "UNAUTHENTICATED") return "revoked";
  throw new Error("The device is still signed in.");
}

function createDrafts(): ReturnType<typeof createBrowserDrafts> {
  try {
    return createBrowserDrafts(localStorage);
  } catch {
    // Reading `localStorage` itself throws where storage is refused.
    return createMemoryDrafts();
  }
}

function ignore(): void {}
