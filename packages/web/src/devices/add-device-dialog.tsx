import type { Transport } from "@holdpoint/client";
import type { ResultOf } from "@holdpoint/protocol";
import {
  Button,
  CopyButton,
  useAnnounce,
  useNow,
  useTransport,
  VisibleText,
} from "@holdpoint/react";
import { useEffect, useState, type ReactNode } from "react";

import { pageUrl } from "../base-path.ts";
import { createDeviceVault } from "../device/device-vault.ts";
import { Dialog } from "../dialog.tsx";
import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";
import { QrCode } from "./qr-code.tsx";
import type { Device } from "./use-credentials.ts";

/** How often to check for the new device. */
const LOOK_MS = 2000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

interface Pairing extends ResultOf<"createPairing"> {
  /** A link with the code, and with the thumbprint of the gateway's key if it is known. */
  readonly url: string;
}

interface AddDeviceDialogProps {
  readonly devices: readonly Device[];
  readonly reload: () => void;
  readonly onClose: () => void;
}

/** Shows a code for another device until that device has signed in. */
export function AddDeviceDialog({ devices, reload, onClose }: AddDeviceDialogProps): ReactNode {
  const say = useWords();
  const { pairing, trouble } = usePairing();
  const added = useAddedDevice(devices, reload);
  return (
    <Dialog title={say("Add a device")} onClose={onClose} className="add-device">
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
      {added !== undefined && (
        <p>
          {say.rich(
            "{device} is signed in. If that is not the device you are adding, sign it out in the list.",
            {
              device: (
                <strong>
                  <VisibleText text={added.label} short />
                </strong>
              ),
            },
          )}
        </p>
      )}
      {added === undefined && pairing !== undefined && <Code pairing={pairing} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{added === undefined ? say("Close") : say("Done")}</Button>
      </div>
    </Dialog>
  );
}

function Code({ pairing: { code, url, expiresAt } }: { readonly pairing: Pairing }): ReactNode {
  const say = useWords();
  const nowMs = useNow(SECOND_MS);
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) {
    return <p>{say("The code has expired. Close this dialog, and get a new code.")}</p>;
  }
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(location.hostname);
  return (
    <div className="pairing">
      {!isHere && <QrCode text={url} />}
      <div className="pairing-words">
        <p>
          {say.rich(
            isHere
              ? "On the new device, open {address} and enter"
              : "Scan the code, or open {address} on the new device and enter",
            { address: <code>{pageUrl()}/pair</code> },
          )}
        </p>
        <p className="pairing-code">
          <output aria-label={say("Code {code}", { code: Array.from(code).join(" ") })}>
            {code}
          </output>
          <CopyButton text={url} label={say("Copy link")} />
        </p>
        <p className="quiet">
          {say(
            "It works once, within the next minute. Anyone who uses it can answer for you.|It works once, within the next {count} minutes. Anyone who uses it can answer for you.",
            { count: Math.ceil(leftMs / MINUTE_MS) },
          )}
        </p>
        {isHere && (
          <p className="quiet">
            {say(
              "This address only works on this computer. A phone needs an https address, such as one from `tailscale serve --bg 4870`. See guides/devices.md for three ways to get one.",
            )}
          </p>
        )}
      </div>
    </div>
  );
}

async function createPairing(transport: Pick<Transport, "createPairing">): Promise<Pairing> {
  const own = await createDeviceVault(() => indexedDB).read();
  const created = await transport.createPairing();
  const gateway = own === undefined ? "" : `&gateway=${own.gateway}`;
  return { ...created, url: `${pageUrl()}/#code=${created.code}${gateway}` };
}

/** One code for as long as the dialog is open. */
function usePairing(): {
  readonly pairing: Pairing | undefined;
  readonly trouble: string | undefined;
} {
  const toTrouble = useTrouble();
  const transport = useTransport();
  const [pairing, setPairing] = useState<Pairing>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    let left = false;
    createPairing(transport).then(
      (created) => {
        if (!left) setPairing(created);
      },
      (error: unknown) => {
        if (!left) setTrouble(toTrouble(error).text);
      },
    );
    return () => {
      left = true;
    };
  }, [transport, toTrouble]);
  return { pairing, trouble };
}

/** The first device that was not there when the dialog was opened. */
function useAddedDevice(devices: readonly Device[], reload: () => void): Device | undefined {
  const [before] = useState(() => new Set(devices.map(({ deviceId }) => deviceId)));
  const added = devices.find(({ deviceId }) => !before.has(deviceId));
  const hasCome = added !== undefined;
  const say = useWords();
  const announce = useAnnounce();
  const nowMs = useNow(LOOK_MS);
  useEffect(() => {
    if (hasCome) announce(say("The device is signed in."));
  }, [hasCome, announce, say]);
  useEffect(() => {
    if (!hasCome) reload();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- checks again as time passes
  }, [hasCome, reload, nowMs]);
  return added;
}
