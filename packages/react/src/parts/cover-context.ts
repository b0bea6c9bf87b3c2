import { createContext } from "react";

/** What stands over the lower end of a card while that is taller than the screen. */
export const CoverContext = createContext<HTMLElement | null>(null);
