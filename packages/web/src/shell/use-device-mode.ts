import { useInteractionMode, useOverview, useRole } from "@holdpoint/react";
import { useCallback, useEffect, useState } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";

export interface DeviceMode {
  readonly answering: boolean;
  readonly trouble: string | undefined;
  readonly choose: (enabled: boolean) => void;
}

/** Whether this device may answer. Stored on the device, since the gateway forgets it when the connection ends. */
export function useDeviceMode(storage: DeviceStorage): DeviceMode {
  const { enabled, trouble, setEnabled } = useInteractionMode();
  const { connection } = useOverview();
  const isViewer = useRole() === "viewer";
  const [wanted, setWanted] = useState(() => storage.read("interaction") !== "off");
  useEffect(() => {
    if (isViewer || connection !== "live" || enabled === wanted) return;
    void setEnabled(wanted);
  }, [isViewer, connection, enabled, wanted, setEnabled]);
  const choose = useCallback(
    (next: boolean) => {
      storage.write("interaction", next ? undefined : "off");
      setWanted(next);
    },
    [storage],
  );
  return { answering: wanted, trouble: trouble && `${trouble.title}. ${trouble.wayOut}`, choose };
}
