import { Button } from "@holdpoint/react";
import { RefreshCw, Unplug, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { FolderNotice } from "../trust/folder-notice.tsx";
import { useWords } from "../words/use-words.ts";
import { useUpdated } from "./use-updated.ts";

import "../styles/notices.css";

/** Information at the top of the page that does not require any action. */
export function Notices({
  isFolderPage,
  isHeldBack,
}: {
  readonly isFolderPage: boolean;
  readonly isHeldBack: boolean;
}): ReactNode {
  return (
    <>
      {isHeldBack && <HeldBackNotice />}
      <UpdateNotice />
      {!isFolderPage && <FolderNotice />}
    </>
  );
}

/** Explains why nothing arrives although the gateway can be reached. */
function HeldBackNotice(): ReactNode {
  const say = useWords();
  return (
    <output className="banner">
      <Unplug aria-hidden />
      <span>
        <strong>{say("No live updates.")}</strong>{" "}
        {say(
          "A proxy is holding back the gateway's messages to this page. It must let WebSockets or unbuffered event streams through.",
        )}
      </span>
    </output>
  );
}

/** Announces that there is a newer version of the page. The current one continues to work. */
function UpdateNotice(): ReactNode {
  const updated = useUpdated();
  const [isPutOff, setPutOff] = useState(false);
  const say = useWords();
  return (
    <output>
      {updated && !isPutOff && (
        <div className="banner notice-update">
          <RefreshCw aria-hidden />
          <span>{say("Holdpoint was updated.")}</span>
          <Button onClick={() => location.reload()}>{say("Reload")}</Button>
          <Button tone="quiet" iconOnly icon={<X aria-hidden />} onClick={() => setPutOff(true)}>
            {say("Not now")}
          </Button>
        </div>
      )}
    </output>
  );
}
