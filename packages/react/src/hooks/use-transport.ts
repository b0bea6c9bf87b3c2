import type { Transport } from "@holdpoint/client";

import { useHoldpoint } from "./provider.tsx";

/** The transport of the nearest `HoldpointProvider`; throws outside of one. */
export function useTransport(): Transport {
  return useHoldpoint().transport;
}
