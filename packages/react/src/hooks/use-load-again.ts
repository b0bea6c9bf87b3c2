import type { OverviewSnapshot } from "@holdpoint/client";
import { useEffect } from "react";

import { loadAgain } from "../parts/load-again.ts";

/** Loads the code that could not be loaded, each time that there is a connection again. */
export function useLoadAgain(connection: OverviewSnapshot["connection"]): void {
  useEffect(() => {
    if (connection === "live") loadAgain();
  }, [connection]);
}
