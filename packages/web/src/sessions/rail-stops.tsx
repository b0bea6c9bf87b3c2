import { useEffect, useRef, type ReactNode } from "react";

import { keepTabStops } from "./keep-tab-stops.ts";

/** Limits the number of tab stops in a rail, however many sessions there are. */
export function RailStops(): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const rail = place.current?.closest("nav");
    return rail ? keepTabStops(rail) : undefined;
  }, []);
  return <span ref={place} hidden />;
}
