import { createContext } from "react";

/** The session whose conversation is shown. */
export const SessionIdContext = createContext("");
