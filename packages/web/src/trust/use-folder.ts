import type { FolderTrust } from "@holdpoint/protocol";
import {
  useNow,
  useKnownRole,
  useOverview,
  useTransport,
  type TroubleWords,
} from "@holdpoint/react";
import { useEffect, useState } from "react";

import { useTrouble } from "../words/use-trouble.ts";

/** How often to check a folder that the gateway watches. Other folders are checked when the page gets the focus. */
const LOOK_MS = 3000;

interface UseFolder {
  /** Absent until first loaded. */
  readonly folder: FolderTrust | undefined;
  readonly trouble: TroubleWords | undefined;
  readonly onFolder: (folder: FolderTrust) => void;
}

/** The files that the gateway loads from its folder, and those it would load if the person trusted them. */
export function useFolder(): UseFolder {
  const toTrouble = useTrouble();
  const transport = useTransport();
  const { connection } = useOverview();
  const isOwner = useKnownRole() === "owner";
  const [folder, setFolder] = useState<FolderTrust>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  // A question is also answered in the terminal, or on another device.
  const isOpen = folder?.watched === true || folder?.offer !== undefined;
  const now = useNow(isOpen ? LOOK_MS : 0);
  const focused = useFocusCount();
  useEffect(() => {
    if (!isOwner) return undefined;
    const aborted = new AbortController();
    transport.getFolderTrust({ signal: aborted.signal }).then(
      (read) => {
        setFolder(read);
        setTrouble(undefined);
      },
      (error: unknown) => {
        if (!aborted.signal.aborted) setTrouble(toTrouble(error));
      },
    );
    return () => aborted.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the files may have changed with any of them
  }, [transport, toTrouble, isOwner, connection, now, focused]);
  return { folder, trouble, onFolder: setFolder };
}

function useFocusCount(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const add = (): void => setCount((before) => before + 1);
    window.addEventListener("focus", add);
    return () => window.removeEventListener("focus", add);
  }, []);
  return count;
}
