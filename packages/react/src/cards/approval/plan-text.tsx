import { useRef, type ReactNode } from "react";

import { useInView } from "../../parts/in-view.tsx";
import { Markdown } from "../../parts/markdown.tsx";

/** A plan at its full height. All of it must have been in view before it can be approved. */
export function PlanText({ plan }: { readonly plan: string }): ReactNode {
  const whole = useRef<HTMLDivElement>(null);
  useInView(whole);
  return (
    <div ref={whole} className="hp-plan">
      <Markdown text={plan} />
    </div>
  );
}
