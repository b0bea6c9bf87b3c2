import { createSeam, type Seam } from "../parts/seam.tsx";
import type * as Cards from "./cards.ts";

/** Everything that a card needs until it is answered, and afterwards. */
export const CARDS: Seam<typeof Cards> = createSeam(() => import("./cards.ts"));

/** Loads all cards ahead of their first use, so that they also appear while the gateway cannot be reached. */
export async function preloadCards(): Promise<void> {
  await CARDS.load().catch(() => undefined); // A failure is shown at the first use.
}
