import type { Transport } from "@holdpoint/client";

import { useHoldpoint } from "./provider.tsx";

/** The transport of the nearest `HoldpointProvider`. Throws if there is none. */
export function useTransport(): Transport {
  return useHoldpoint().transport;
}
