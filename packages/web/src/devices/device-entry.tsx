import { Button, RelativeTime, toVisibleString, useTransport, VisibleText } from "@holdpoint/react";
import { Monitor, Smartphone } from "lucide-react";
import { useState, type ReactNode } from "react";

import { RenameField } from "../sessions/rename-field.tsx";
import { useWords } from "../words/use-words.ts";
import { AccessEntry, LastUse } from "./access-entry.tsx";
import type { Device } from "./use-credentials.ts";

interface DeviceEntryProps {
  readonly device: Device;
  readonly onChanged: () => void;
  readonly onSignOut: () => void;
}

/** One signed-in browser. Its name can be edited in place. */
export function DeviceEntry({ device, onChanged, onSignOut }: DeviceEntryProps): ReactNode {
  const say = useWords();
  const { deviceId, label, current, createdAt, lastUsedAt } = device;
  const transport = useTransport();
  const [renaming, setRenaming] = useState(false);
  const close = (): void => {
    setRenaming(false);
    onChanged();
  };
  const visible = toVisibleString(label);
  return (
    <AccessEntry
      icon={isPhone(label) ? <Smartphone aria-hidden /> : <Monitor aria-hidden />}
      name={
        renaming ? (
          <RenameField
            name={label}
            label={say("Device name")}
            maxLength={100}
            save={(next) => transport.renameDevice(deviceId, { label: next })}
            onClose={close}
          />
        ) : (
          <VisibleText text={label} short />
        )
      }
      tag={current ? say("This device") : undefined}
      facts={[
        [say("Signed in"), <RelativeTime key="at" at={createdAt} />],
        [say("Last seen"), current ? say("now") : <LastUse key="at" at={lastUsedAt} />],
      ]}
      actions={
        <>
          {!renaming && (
            <Button
              aria-label={say("Rename {name}", { name: visible })}
              onClick={() => setRenaming(true)}
            >
              {say("Rename")}
            </Button>
          )}
          <Button aria-label={say("Sign out {name}", { name: visible })} onClick={onSignOut}>
            {say("Sign out")}
          </Button>
        </>
      }
    />
  );
}

function isPhone(label: string): boolean {
  return /\b(?:iPhone|iPad|Android)\b/u.test(label);
}
