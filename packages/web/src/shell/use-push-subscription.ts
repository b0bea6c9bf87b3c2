import { useLanguage, useTransport } from "@holdpoint/react";
import { useEffect } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { refreshSubscription } from "../device/push-subscription.ts";

/** Where this device is notified by push, its gateway learns of another address and of another language. */
export function usePushSubscription(storage: DeviceStorage): void {
  const transport = useTransport();
  const { tag, locale = tag } = useLanguage();
  useEffect(() => {
    // What fails now is said when the page is opened again.
    refreshSubscription(transport, storage, locale).catch(() => undefined);
  }, [transport, storage, locale]);
}
