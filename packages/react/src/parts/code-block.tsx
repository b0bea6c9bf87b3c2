import { useRef, type ReactNode } from "react";

import { CodeFigure, type CodeFigureProps } from "./code-figure.tsx";
import { useInView } from "./in-view.tsx";

/** A `CodeFigure` of which each line has to be in view before what it stands in can be allowed. */
export function CodeBlock(props: Omit<CodeFigureProps, "ref">): ReactNode {
  const figure = useRef<HTMLElement>(null);
  useInView(figure);
  return <CodeFigure {...props} ref={figure} />;
}
