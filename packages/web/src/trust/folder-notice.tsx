import { VisibleText } from "@holdpoint/react";
import { FileWarning } from "lucide-react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useWords } from "../words/use-words.ts";
import { useFolder } from "./use-folder.ts";

/** Reports files in the gateway's folder that are not loaded, with a link to the page that shows them. */
export function FolderNotice(): ReactNode {
  const say = useWords();
  const { folder } = useFolder();
  const { offer, problem, loaded = false, path = "", failed = [] } = folder ?? {};
  const isWaiting = offer !== undefined || problem !== undefined;
  return (
    <output>
      {(isWaiting || failed.length > 0) && (
        <div className="banner">
          <FileWarning aria-hidden />
          <span>
            {say.rich(
              !isWaiting
                ? "Files in {folder} could not be loaded."
                : loaded
                  ? "Files in {folder} have changed. The changes are not loaded until you trust them."
                  : "Nothing is loaded from {folder} until you trust it.",
              { folder: <VisibleText exact text={path} /> },
            )}
          </span>
          <Link to={{ name: "folder" }}>{say("Review the files")}</Link>
        </div>
      )}
    </output>
  );
}
