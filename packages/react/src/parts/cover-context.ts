import { createContext } from "react";

/** The element that covers the lower end of a card taller than the screen. */
export const CoverContext = createContext<HTMLElement | null>(null);
