import { useOverview } from "@holdpoint/react";
import { useEffect, useRef, useState } from "react";

import { BASE_PATH } from "../base-path.ts";
import { isOtherBuild, ownScript } from "./served-page.ts";

/** Whether the gateway serves another build of this page. Checked when it is back, without running anything of it. */
export function useUpdated(): boolean {
  const { connection } = useOverview();
  const [updated, setUpdated] = useState(false);
  const wasAway = useRef(false);
  useEffect(() => {
    if (connection !== "live") {
      wasAway.current ||= connection !== "connecting";
      return undefined;
    }
    if (!wasAway.current) return undefined;
    const leaving = new AbortController();
    const look = async (): Promise<void> => {
      const response = await fetch(BASE_PATH, { cache: "no-store", signal: leaving.signal });
      const isOther = isOtherBuild(await response.text(), ownScript());
      if (!leaving.signal.aborted) setUpdated(isOther);
    };
    // Checked again when the gateway is next back.
    look().catch(() => undefined);
    return () => leaving.abort();
  }, [connection]);
  return updated;
}
