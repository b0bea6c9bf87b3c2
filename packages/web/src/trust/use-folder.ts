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

/** How often a folder is looked at whose gateway watches it; another one when the page gets the focus. */
const LOOK_MS = 3000;

interface UseFolder {
  /** Absent until the first answer of the gateway. */
  readonly folder: FolderTrust | undefined;
  readonly trouble: TroubleWords | undefined;
  readonly onFolder: (folder: FolderTrust) => void;
}

/** What the gateway loads from its folder, and what it would load if the person trusted it. */
export function useFolder(): UseFolder {
  const toTrouble = useTrouble();
  const transport = useTransport();
  const { connection } = useOverview();
  const isOwner = useKnownRole() === "owner";
  const [folder, setFolder] = useState<FolderTrust>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  const now = useNow(folder?.watched === true ? LOOK_MS : 0);
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
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each says that the files may have changed
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
