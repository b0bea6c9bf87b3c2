import type { OverviewSnapshot } from "@holdpoint/client";
import { useEffect } from "react";

import { loadAgain } from "../parts/load-again.ts";

/** Retries loading failed code whenever the connection is back. */
export function useLoadAgain(connection: OverviewSnapshot["connection"]): void {
  useEffect(() => {
    if (connection === "live") loadAgain();
  }, [connection]);
}
