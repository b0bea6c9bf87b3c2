import { createContext, use, useCallback, useState, type ReactNode } from "react";

type Announce = (message: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/**
 * Owns the live region. It stands outside the cards, because a region that goes away with its card is never heard.
 * Mount it once, around everything that announces; without it announcements are dropped.
 */
export function AnnouncerProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [said, setSaid] = useState({ message: "", turn: 0 });
  const announce = useCallback<Announce>((message) => {
    setSaid((last) => ({ message, turn: last.turn + 1 }));
  }, []);
  // Two regions in turn: the same words twice are two announcements.
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

/** Says something to screen readers, politely. Its identity is stable. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}
