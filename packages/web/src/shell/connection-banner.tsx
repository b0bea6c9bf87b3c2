import type { Connection } from "@holdpoint/client";
import { Button } from "@holdpoint/react";
import { Unplug } from "lucide-react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

interface ConnectionBannerProps {
  readonly connection: Connection;
  readonly onRetry: () => void;
}

/** Shown while the gateway is out of reach. A short interruption is repaired silently and never shown. */
export function ConnectionBanner({ connection, onRetry }: ConnectionBannerProps): ReactNode {
  const say = useWords();
  return (
    <output>
      {connection === "offline" && (
        <div className="banner">
          <Unplug aria-hidden />
          <span>
            <strong>{say("Offline.")}</strong>{" "}
            {say(
              "The gateway cannot be reached. Your drafts are kept, and pending requests stay open.",
            )}
          </span>
          <Button onClick={onRetry}>{say("Try now")}</Button>
        </div>
      )}
    </output>
  );
}
