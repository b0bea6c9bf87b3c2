import { useRef, type ReactNode } from "react";

import { CodeFigure, type CodeFigureProps } from "./code-figure.tsx";
import { useInView } from "./in-view.tsx";

/** A `CodeFigure` that must be scrolled through before its card can be allowed. */
export function CodeBlock(props: Omit<CodeFigureProps, "ref">): ReactNode {
  const figure = useRef<HTMLElement>(null);
  useInView(figure);
  return <CodeFigure {...props} ref={figure} />;
}
