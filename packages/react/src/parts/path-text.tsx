import { Fragment, type ReactNode } from "react";

import { VisibleText } from "./visible-text.tsx";

/** Paths with more folders than any system has are drawn without breaks. */
const MAX_FOLDERS = 60;

/** A full path that breaks between its folders. The name at its end is drawn first. */
export function PathText({ path }: { readonly path: string }): ReactNode {
  const folders = path.split(/(?<=[/\\])/u, MAX_FOLDERS + 1);
  if (folders.length > MAX_FOLDERS) return <VisibleText text={path} exact />;
  const name = folders.pop() ?? "";
  return (
    <span className="hp-path">
      {folders.map((folder, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- folders have no identity but their place
        <Fragment key={index}>
          <VisibleText text={folder} exact />
          <wbr />
        </Fragment>
      ))}
      <span className="hp-path-name">
        <VisibleText text={name} exact />
      </span>
    </span>
  );
}
