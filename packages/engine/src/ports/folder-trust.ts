import type { FolderTrust, TrustFolderBody } from "@holdpoint/protocol";

/**
 * Controls the content that the gateway may load from the folder it was started in: only content that a person trusts.
 */
export interface FolderTrustPort {
  /** Reads the current content of the folder. */
  read(): Promise<FolderTrust>;
  /** Loads the content that a person has reviewed. Rejects with `DIGEST_MISMATCH` when it has changed since. */
  trust(seen: TrustFolderBody): Promise<FolderTrust>;
}

/** For a gateway that loads nothing from any folder. */
export const NO_FOLDER: FolderTrustPort = {
  read: async () => ({ path: "", loaded: false, watched: false, needsStart: [], failed: [] }),
  trust: async () => NO_FOLDER.read(),
};
