import { ClientError, type SignedInDevice } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import { useCallback, useEffect, useState, type ReactNode } from "react";

import { withBasePath } from "./base-path.ts";
import type { DeviceStorage } from "./device/device-storage.ts";
import type { DeviceVault } from "./device/device-vault.ts";
import { LAUNCH, NothingYet } from "./launch/launch-seam.ts";
import { SignInError } from "./launch/sign-in-error.ts";
import type { SignedOutReason } from "./launch/signed-out-reason.ts";
import { SignedIn, type SignOutReason } from "./signed-in.tsx";

type State =
  | { readonly name: "launching" }
  | { readonly name: "signed_out"; readonly reason: SignedOutReason }
  | { readonly name: "signed_in"; readonly device: SignedInDevice };

interface AppProps {
  readonly storage: DeviceStorage;
  readonly vault: DeviceVault;
  readonly clientId: string;
  /** The sign-in with the launch URL. Its one-time code is tried once. */
  readonly launch: Promise<SignedInDevice> | undefined;
}

/** Shows the page if the browser is signed in. If not, signs it in with a launch link, or explains how to sign in. */
export function App({ storage, vault, clientId, launch }: AppProps): ReactNode {
  const [state, setState] = useState<State>({ name: "launching" });

  useEffect(() => {
    let left = false;
    const show = (next: State): void => {
      if (!left) setState(next);
    };
    void begin(vault, launch).then((next) => {
      if (launch !== undefined && next.name === "signed_in") {
        storage.write("device", next.device.tokenId);
      }
      show(next);
    });
    // A launch link opened in another tab signs in this tab too.
    const stop = storage.watch("device", () => {
      void vault.read().then((device) => device && show({ name: "signed_in", device }));
    });
    return () => {
      left = true;
      stop();
    };
  }, [launch, storage, vault]);

  const signedOut = useCallback(
    (reason: SignOutReason) => {
      storage.write("device", undefined);
      void vault.write(undefined).catch(() => undefined); // Without storage, there is nothing to delete.
      setState({ name: "signed_out", reason });
    },
    [storage, vault],
  );

  switch (state.name) {
    case "launching":
      return null;
    case "signed_out":
      return location.pathname === withBasePath("/pair") && state.reason === "never" ? (
        <LAUNCH.Part of="EnterCode" instead={NothingYet} />
      ) : (
        <LAUNCH.Part of="OpenLaunchLink" instead={NothingYet} reason={state.reason} />
      );
    case "signed_in":
      return (
        <SignedIn
          key={state.device.tokenId}
          device={state.device}
          clientId={clientId}
          storage={storage}
          onSignedOut={signedOut}
        />
      );
  }
}

async function begin(
  vault: DeviceVault,
  launch: Promise<SignedInDevice> | undefined,
): Promise<State> {
  let reason: SignedOutReason = "never";
  try {
    if (launch !== undefined) return { name: "signed_in", device: await launch };
  } catch (error: unknown) {
    reason = toReason(error);
  }
  // An old link must not sign out a browser that is signed in.
  const device = await vault.read();
  return device ? { name: "signed_in", device } : { name: "signed_out", reason };
}

function toReason(error: unknown): SignedOutReason {
  if (error instanceof SignInError) return error.reason;
  if (ProtocolError.isInstance(error)) return "code_refused";
  const isOther = ClientError.isInstance(error) && error.code === "GATEWAY_UNKNOWN";
  return isOther ? "other_gateway" : "unreachable";
}
