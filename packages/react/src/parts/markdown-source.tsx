import type { ReactNode } from "react";

import { VisibleText } from "./visible-text.tsx";

export function MarkdownSource({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="hp-markdown-source">
      <VisibleText text={text} />
    </p>
  );
}
