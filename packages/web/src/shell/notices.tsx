import { Button } from "@holdpoint/react";
import { RefreshCw, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { FolderNotice } from "../trust/folder-notice.tsx";
import { useWords } from "../words/use-words.ts";
import { useUpdated } from "./use-updated.ts";

import "../styles/notices.css";

/** Above everything else: what a person may want to know, and need not do. */
export function Notices({ isFolderPage }: { readonly isFolderPage: boolean }): ReactNode {
  return (
    <>
      <UpdateNotice />
      {!isFolderPage && <FolderNotice />}
    </>
  );
}

/** Says that the page goes on as it was, and that there is a newer one. */
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
