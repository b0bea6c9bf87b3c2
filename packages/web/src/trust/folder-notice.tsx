import { VisibleText } from "@holdpoint/react";
import { FileWarning } from "lucide-react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useFolder } from "./use-folder.ts";

/** Says that files of the gateway's folder are not loaded, and leads to the page that shows them. */
export function FolderNotice(): ReactNode {
  const { folder } = useFolder();
  const { offer, problem, loaded = false, path = "" } = folder ?? {};
  return (
    <output>
      {(offer !== undefined || problem !== undefined) && (
        <div className="banner">
          <FileWarning aria-hidden />
          <span>
            {loaded ? "Files have changed in " : "Nothing is loaded from "}
            <VisibleText exact text={path} />
            {loaded ? ". The change is not loaded until you trust it." : " until you trust it."}
          </span>
          <Link to={{ name: "folder" }}>Look at the files</Link>
        </div>
      )}
    </output>
  );
}
