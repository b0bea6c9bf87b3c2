import { z } from "zod";

import { saidSchema } from "./saying-schema.ts";

const offeredFileSchema = z.object({
  /** For example `tools/greet.ts`. Begins with `..` for a file outside of the folder. */
  name: z.string(),
  /** The path after resolving links. */
  path: z.string(),
  /** `module`: imported by the config file, a tool or another module. */
  role: z.enum(["config", "tool", "module"]),
  /** Compared with the files that a person trusted last. */
  change: z.enum(["new", "changed", "same"]),
  text: z.string(),
  /** Of a changed file: the lines from the first to the last change, the trusted ones first, as in a diff. */
  difference: z.string().optional(),
});

/** An offer for a person to trust: everything that the gateway would load from the folder. */
export const folderOfferSchema = z.object({
  /** The hash of the folder's path and the content of all files. */
  hash: z.string(),
  /** The config file first, then tools, then modules. */
  files: z.array(offeredFileSchema),
  /** Names of files that were trusted and are gone. */
  removed: z.array(z.string()),
  /** The packages that the files import. The hash does not cover their content. */
  packages: z.array(z.string()),
  /** The settings that a JSON config file would change, as JSON. Settings of a program are unknown until it runs. */
  settings: z.array(z.object({ name: z.string(), now: z.string().optional(), value: z.string() })),
  /** Why the config file would be refused. */
  problem: z.string().optional(),
  /** The sayings of `problem`. */
  said: saidSchema.optional(),
});
export type FolderOffer = z.infer<typeof folderOfferSchema>;

/** The files from the gateway's start folder: the loaded ones, and the ones to load if a person trusts them. */
export const folderTrustSchema = z.object({
  path: z.string(),
  /** Whether anything from the folder is loaded. */
  loaded: z.boolean(),
  /** Whether the gateway checks the folder again whenever a file changes. */
  watched: z.boolean(),
  /** Absent if everything in the folder is loaded, or there is nothing to load. */
  offer: folderOfferSchema.optional(),
  /** Why nothing in the folder can be loaded. */
  problem: z.string().optional(),
  /** The sayings of `problem`. */
  said: saidSchema.optional(),
  /** Trusted settings that take effect at the next start. */
  needsStart: z.array(z.string()),
  /** Trusted files that could not be loaded. Tools that such a file had before stay in use. */
  failed: z.array(
    z.object({
      /** For example `tools/greet.ts`. */
      source: z.string(),
      error: z.string(),
      /** `error`, if it is the gateway's own text. */
      said: saidSchema.optional(),
    }),
  ),
});
export type FolderTrust = z.infer<typeof folderTrustSchema>;

export const trustFolderBodySchema = z.strictObject({
  path: z.string().min(1).max(4096),
  /** The hash of the offer that the person saw. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TrustFolderBody = z.infer<typeof trustFolderBodySchema>;
