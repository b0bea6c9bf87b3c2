import type { Session } from "@holdpoint/protocol";
import { useTransport, useUiClock } from "@holdpoint/react";
import { useEffect, useState } from "react";

import { navigate } from "../use-route.ts";
import { useWords } from "../words/use-words.ts";
import type { PaletteEntry } from "./palette-entries.ts";

const MOST = 20;
const MAX_WORDS_LENGTH = 200;
/** Waits for a pause in typing. */
const PAUSE_MS = 150;

/** The archived sessions that contain the typed words; none without words. */
export function useArchivedEntries(typed: string): PaletteEntry[] {
  const words = typed.trim().slice(0, MAX_WORDS_LENGTH);
  const say = useWords();
  const transport = useTransport();
  const clock = useUiClock();
  const [found, setFound] = useState<readonly Session[]>([]);
  useEffect(() => {
    if (words === "") return;
    const aborted = new AbortController();
    const query = { archived: "only", words, limit: MOST } as const;
    const cancel = clock.schedule(PAUSE_MS, () => {
      transport.listSessions(query, { signal: aborted.signal }).then(
        ({ items }) => setFound(items),
        () => undefined, // The palette keeps its other entries.
      );
    });
    return () => {
      cancel();
      aborted.abort();
    };
  }, [words, transport, clock]);
  if (words === "") return [];
  return found.map(({ sessionId, title, cwd }) => ({
    key: `archived ${sessionId}`,
    group: "Archived",
    name: title === "" ? say("New session") : title,
    detail: cwd,
    run: () => navigate({ name: "session", sessionId }),
  }));
}
