import { exchangeLaunchCode } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from "react";

import { toDeviceLabel } from "./device/device-label.ts";
import type { DeviceStorage } from "./device/device-storage.ts";
import type { SignedOutReason } from "./launch/open-launch-link.tsx";
import { SignedIn } from "./signed-in.tsx";

const OpenLaunchLink = lazy(async () => ({
  default: (await import("./launch/open-launch-link.tsx")).OpenLaunchLink,
}));

const EnterCode = lazy(async () => ({
  default: (await import("./launch/enter-code.tsx")).EnterCode,
}));

type State =
  | { readonly name: "launching" }
  | { readonly name: "signed_out"; readonly reason: SignedOutReason }
  | { readonly name: "signed_in"; readonly token: string };

interface AppProps {
  readonly storage: DeviceStorage;
  readonly clientId: string;
  /** From the launch URL; a one-time code is tried once. */
  readonly launch: Promise<string> | undefined;
}

/** Shows the page to a browser with a token, exchanges a launch code for a token, and otherwise says how to sign in. */
export function App({ storage, clientId, launch }: AppProps): ReactNode {
  const [state, setState] = useState<State>(() => toFirstState(storage, launch));

  useEffect(() => {
    if (launch === undefined) return undefined;
    let left = false;
    launch.then(
      (token) => {
        storage.write("token", token);
        if (!left) setState({ name: "signed_in", token });
      },
      (error: unknown) => {
        if (!left) setState(toStateAfterRefusal(storage, error));
      },
    );
    return () => {
      left = true;
    };
  }, [launch, storage]);

  // A launch link that is opened in another tab signs this tab in, too.
  useEffect(
    () =>
      storage.watch("token", () => {
        const token = storage.read("token");
        if (token !== undefined) setState({ name: "signed_in", token });
      }),
    [storage],
  );

  const revoked = useCallback(() => {
    storage.write("token", undefined);
    setState({ name: "signed_out", reason: "revoked" });
  }, [storage]);

  switch (state.name) {
    case "launching":
      return null;
    case "signed_out":
      return (
        <Suspense>
          {location.pathname === "/pair" && state.reason === "never" ? (
            <EnterCode />
          ) : (
            <OpenLaunchLink reason={state.reason} />
          )}
        </Suspense>
      );
    case "signed_in":
      return (
        <SignedIn
          key={state.token}
          token={state.token}
          clientId={clientId}
          storage={storage}
          onRevoked={revoked}
        />
      );
  }
}

/** Exchanges a launch code for a token that carries this device's name. */
export async function exchangeCode(code: string): Promise<string> {
  const label = toDeviceLabel(navigator.userAgent);
  return (await exchangeLaunchCode({ baseUrl: location.origin, code, label })).token;
}

function toFirstState(storage: DeviceStorage, launch: Promise<string> | undefined): State {
  if (launch !== undefined) return { name: "launching" };
  const token = storage.read("token");
  return token === undefined
    ? { name: "signed_out", reason: "never" }
    : { name: "signed_in", token };
}

/** An old link does not sign out a browser that is signed in already. */
function toStateAfterRefusal(storage: DeviceStorage, error: unknown): State {
  const token = storage.read("token");
  if (token !== undefined) return { name: "signed_in", token };
  const refused = ProtocolError.isInstance(error);
  return { name: "signed_out", reason: refused ? "code_refused" : "unreachable" };
}
