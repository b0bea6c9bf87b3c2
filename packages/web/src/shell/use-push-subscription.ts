import { useLanguage, useTransport } from "@holdpoint/react";
import { useEffect } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { refreshSubscription } from "../device/push-subscription.ts";

/** If this device is notified by push, informs the gateway of a changed address or language. */
export function usePushSubscription(storage: DeviceStorage): void {
  const transport = useTransport();
  const { tag, locale = tag } = useLanguage();
  useEffect(() => {
    // After a failure, it is tried again when the page is next opened.
    refreshSubscription(transport, storage, locale).catch(() => undefined);
  }, [transport, storage, locale]);
}
