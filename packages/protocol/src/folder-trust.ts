import { z } from "zod";

import { saidSchema } from "./said.ts";

const offeredFileSchema = z.object({
  /** Such as `tools/greet.ts`; outside of the folder it begins with `..`. */
  name: z.string(),
  /** Where it is once links are followed. */
  path: z.string(),
  /** A module is imported by the config file, by a tool, or by another module. */
  role: z.enum(["config", "tool", "module"]),
  /** Against what is loaded now. */
  change: z.enum(["new", "changed", "same"]),
  text: z.string(),
  /** Of a changed file: its lines from the first to the last change, those that are loaded now first, as in a diff. */
  difference: z.string().optional(),
});

/** What a person is asked to trust: everything that the folder would have the gateway load. */
export const folderOfferSchema = z.object({
  /** Of the folder's path and the content of all files. */
  hash: z.string(),
  /** The config file first, then the tools, then the modules. */
  files: z.array(offeredFileSchema),
  /** Names of files that are loaded now and would not be any more. */
  removed: z.array(z.string()),
  /** Packages that the files import. The hash does not cover what is in them. */
  packages: z.array(z.string()),
  /** Settings that a config file in JSON would change, each as JSON. What a program sets is known only when it has run. */
  settings: z.array(z.object({ name: z.string(), now: z.string().optional(), value: z.string() })),
  /** Why the config file would be refused. */
  problem: z.string().optional(),
  /** `problem`. */
  said: saidSchema.optional(),
});
export type FolderOffer = z.infer<typeof folderOfferSchema>;

/** What the gateway loads from the folder that it was started in, and what it would load if a person trusted it. */
export const folderTrustSchema = z.object({
  /** Of the folder. */
  path: z.string(),
  /** Something of the folder is loaded. */
  loaded: z.boolean(),
  /** The gateway looks again whenever a file changes. */
  watched: z.boolean(),
  /** Absent when all that lies there is loaded, or there is nothing to load. */
  offer: folderOfferSchema.optional(),
  /** Why nothing of what lies there can be loaded. */
  problem: z.string().optional(),
  /** `problem`. */
  said: saidSchema.optional(),
  /** Settings that a person has trusted and that hold from the next start. */
  needsStart: z.array(z.string()),
});
export type FolderTrust = z.infer<typeof folderTrustSchema>;

export const trustFolderBodySchema = z.strictObject({
  path: z.string().min(1).max(4096),
  /** Of the offer that the person has seen. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TrustFolderBody = z.infer<typeof trustFolderBodySchema>;
