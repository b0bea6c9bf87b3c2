import { useRef, type ReactNode } from "react";

import { useInView } from "../../parts/in-view.tsx";
import { Markdown } from "../../parts/markdown.tsx";

/** As tall as its text, all of which has to have been in view. */
export function PlanText({ plan }: { readonly plan: string }): ReactNode {
  const whole = useRef<HTMLDivElement>(null);
  useInView(whole);
  return (
    <div ref={whole} className="hp-plan">
      <Markdown text={plan} />
    </div>
  );
}
