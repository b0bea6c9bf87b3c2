import { useEffect, useRef, type ReactNode } from "react";

import { holdStops } from "./hold-stops.ts";

/** Limits the number of tab stops in a rail, however many sessions there are. */
export function RailStops(): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const rail = place.current?.closest("nav");
    return rail ? holdStops(rail) : undefined;
  }, []);
  return <span ref={place} hidden />;
}
