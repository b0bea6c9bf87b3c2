import { createContext, use, useCallback, useState, type ReactNode } from "react";

type Announce = (message: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/**
 * Contains the live region. It is outside the cards, because a region that is removed with its card is not read out.
 * Mount it once, around everything that announces; without it, announcements are dropped.
 */
export function AnnouncerProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [said, setSaid] = useState({ message: "", turn: 0 });
  const announce = useCallback<Announce>((message) => {
    setSaid((last) => ({ message, turn: last.turn + 1 }));
  }, []);
  // Alternates between two regions, so that the same text twice is announced twice.
  const even = said.turn % 2 === 0;
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="hp-visually-hidden" data-hp-announcer="">
        <output>{even ? said.message : ""}</output>
        <output>{even ? "" : said.message}</output>
      </div>
    </AnnounceContext>
  );
}

/** Returns a stable function that announces a text to screen readers, politely. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}
