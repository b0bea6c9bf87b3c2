import { lazy, Suspense, type ReactNode } from "react";

import type { FormValuesProps } from "./form-values.tsx";

const LoadedSummary = lazy(async () => {
  try {
    return { default: (await import("./form-values.tsx")).FormSummaryLine };
  } catch {
    return { default: NotLoaded };
  }
});

/** `FormSummaryLine`, loaded on first use; `children` stand there until then. */
export function LazyFormSummary({
  children,
  ...props
}: FormValuesProps & { readonly template: string; readonly children: ReactNode }): ReactNode {
  return (
    <Suspense fallback={children}>
      <LoadedSummary {...props} />
    </Suspense>
  );
}

function NotLoaded(): ReactNode {
  return <span className="hp-hint">The values could not be loaded. Reload the page.</span>;
}
