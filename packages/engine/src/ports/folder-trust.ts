import type { FolderTrust, TrustFolderBody } from "@holdpoint/protocol";

/** What the gateway may load from the folder that it was started in: only what a person has trusted. */
export interface FolderTrustPort {
  /** Reads what lies there now. */
  read(): Promise<FolderTrust>;
  /** Loads what a person has looked at. Rejects with `DIGEST_MISMATCH` when something else lies there by now. */
  trust(seen: TrustFolderBody): Promise<FolderTrust>;
}

/** For a gateway that loads nothing from any folder. */
export const NO_FOLDER: FolderTrustPort = {
  read: async () => ({ path: "", loaded: false, watched: false, needsStart: [] }),
  trust: async () => NO_FOLDER.read(),
};
