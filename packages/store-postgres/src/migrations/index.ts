import { firstRelease } from "./0001-first-release.ts";
import type { Migration } from "./migration.ts";

/** In order: a migration's index plus 1 is its version. */
export const MIGRATIONS: readonly Migration[] = [firstRelease];
