import { APPEND } from "./append.ts";
import { WRITES } from "./writes.ts";

/**
 * All functions of the schema, as statements that can be run again. A start runs them when they differ from those in the
 * database. A function that is no longer here, or gets other parameters or another result type, must be dropped by a
 * migration. `hold_lease` must stay as the release before calls it, whose nodes stand by.
 */
export const FUNCTIONS: string = APPEND + WRITES;
