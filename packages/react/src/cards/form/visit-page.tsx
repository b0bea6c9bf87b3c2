import { readVisitAddress } from "@holdpoint/protocol";
import { ExternalLink, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

interface VisitPageProps {
  readonly url: string;
  /** Absent: only the address is shown, and nothing can be pressed. */
  readonly canOpen?: boolean;
}

/** The page that a server wants a person to open: first its host, then the whole address. Nothing is fetched. */
export function VisitPage({ url, canOpen = false }: VisitPageProps): ReactNode {
  const say = useWords();
  const read = readVisitAddress(url);
  if ("problem" in read) {
    return (
      <p className="hp-visit-address">
        <VisibleText text={url} exact />
      </p>
    );
  }
  const { href, host, isForeign, isLoopback } = read.address;
  return (
    <div className="hp-visit">
      <p className="hp-visit-host">
        <bdi dir="ltr">
          <VisibleText text={host} exact />
        </bdi>
      </p>
      {isForeign && (
        <p className="hp-visit-warning">
          <TriangleAlert aria-hidden />
          {say(
            "This name contains letters that browsers may display as different ones. It may only look like a name you know.",
          )}
        </p>
      )}
      {isLoopback && (
        <p className="hp-hint">
          {say(
            "This page is on the machine that runs the gateway. On another device, the address points to that device.",
          )}
        </p>
      )}
      <p className="hp-visit-address">
        <bdi dir="ltr">
          <VisibleText text={href} exact />
        </bdi>
      </p>
      {canOpen && (
        <a
          className="hp-button hp-button-plain hp-visit-link"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          referrerPolicy="no-referrer"
        >
          <ExternalLink aria-hidden />
          {say("Open this page in a new tab")}
        </a>
      )}
    </div>
  );
}
