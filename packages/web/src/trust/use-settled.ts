import { useNow } from "@holdpoint/react";
import { useState } from "react";

const SETTLE_MS = 500;

/** False for half a second after the component has appeared, when a press was meant for something else. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  const now = useNow(settled ? 0 : SETTLE_MS);
  const [shownAt] = useState(now);
  if (!settled && now - shownAt >= SETTLE_MS) setSettled(true);
  return settled;
}
