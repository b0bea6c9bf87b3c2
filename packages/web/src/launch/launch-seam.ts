import { createSeam, type Seam } from "@holdpoint/react";

import type * as Launch from "./launch-parts.ts";

/** Separate from the other pages: a browser that signs in waits for this code only. */
export const LAUNCH: Seam<typeof Launch> = createSeam(() => import("./launch-parts.ts"));

/** The placeholder for an essential part. If it cannot be loaded, the crash screen is shown. */
export function NothingYet({ failed }: { readonly failed: boolean }): null {
  if (failed) throw new Error("The page did not load.");
  return null;
}
