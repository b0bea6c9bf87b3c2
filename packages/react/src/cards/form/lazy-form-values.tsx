import type { ComponentType, ReactNode } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { FormSummaryProps } from "./form-values.tsx";

type LazyFormSummaryProps = FormSummaryProps & { readonly children?: ReactNode };

/** `FormSummaryLine`, loaded on first use; `children` stand there until then. */
export const LazyFormSummary: ComponentType<LazyFormSummaryProps> =
  createLazyPart<LazyFormSummaryProps>(
    ({ failed, children }) =>
      failed ? (
        <span className="hp-hint">The values could not be loaded. Reload the page.</span>
      ) : (
        children
      ),
    async () => (await import("./form-values.tsx")).FormSummaryLine,
  ).Part;
