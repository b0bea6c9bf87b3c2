import type { FolderTrust } from "@holdpoint/protocol";
import { VisibleText } from "@holdpoint/react";
import { useEffect, useRef, type ReactNode } from "react";

import { ColumnPage } from "../column-page.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import { OfferView } from "./offer-view.tsx";

import "../styles/folder.css";
import { useFolder } from "./use-folder.ts";

/** The files that the gateway would load from its folder. A person can trust them here. */
export function FolderPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const say = useWords();
  const { folder, trouble, onFolder } = useFolder();
  const title = useRef<HTMLHeadingElement>(null);
  const hash = folder?.offer?.hash;
  const shown = useRef(hash);
  // The focused button has been removed together with the offer.
  useEffect(() => {
    if (shown.current !== undefined && hash === undefined) title.current?.focus();
    shown.current = hash;
  }, [hash]);
  return (
    <ColumnPage
      titleRef={title}
      title={say("Files of the directory")}
      column="folder"
      loaded={folder !== undefined}
      {...{ inboxToggle, trouble }}
    >
      {folder !== undefined && <Loaded folder={folder} />}
      {folder?.offer !== undefined && (
        <OfferView
          key={folder.offer.hash}
          path={folder.path}
          offer={folder.offer}
          onTrusted={onFolder}
        />
      )}
    </ColumnPage>
  );
}

/** The files loaded at present, in one sentence. */
function Loaded({ folder }: { readonly folder: FolderTrust }): ReactNode {
  const say = useWords();
  const { path, offer, problem, said, needsStart, failed } = folder;
  return (
    <>
      {(offer !== undefined || failed.length === 0) && <p>{say(toStateWords(folder))}</p>}
      {path !== "" && (
        <p className="folder-path">
          <VisibleText exact text={path} />
        </p>
      )}
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {say("No new files can be loaded.")}{" "}
          <VisibleText text={say.told(problem, said?.["problem"])} />
        </p>
      )}
      {failed.length > 0 && <Failed failed={failed} />}
      {needsStart.length > 0 && (
        <p>
          {say("These settings take effect the next time the gateway starts:")}{" "}
          {needsStart.join(", ")}.
        </p>
      )}
    </>
  );
}

/** The trusted files that are not in use, or only in an older version. */
function Failed({ failed }: Pick<FolderTrust, "failed">): ReactNode {
  const say = useWords();
  return (
    <div className="field-error" role="alert">
      <p>{say("These files could not be loaded. Fix them, then trust them again:")}</p>
      <ul className="folder-settings">
        {failed.map(({ source, error, said }) => (
          <li key={source}>
            <code>
              <VisibleText exact text={source} />
            </code>{" "}
            <VisibleText text={say.told(error, said?.["error"])} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function toStateWords({ loaded, offer }: FolderTrust): Words {
  if (offer === undefined) {
    return loaded
      ? "Everything in this directory that the gateway can load is loaded."
      : "The gateway loads nothing from this directory.";
  }
  if (loaded) {
    return "Files have changed. The gateway keeps using the files that you trusted before:";
  }
  return offer.removed.length > 0 || offer.files.some(({ change }) => change !== "new")
    ? "Files have changed since you trusted them. None is loaded until you trust them again:"
    : "The gateway can load config and tools from this directory. Nothing is loaded yet:";
}
