import { lazy, Suspense, type ReactNode } from "react";

import type { FormValuesProps } from "./form-values.tsx";

const LoadedValues = lazy(async () => {
  try {
    return { default: (await import("./form-values.tsx")).FormValues };
  } catch {
    // Offline, or a newer version of the page has replaced its files.
    return { default: NotLoaded };
  }
});

const LoadedSummary = lazy(async () => {
  try {
    return { default: (await import("./form-values.tsx")).FormSummaryLine };
  } catch {
    return { default: NotLoaded };
  }
});

/** `FormValues`, loaded on first use: most sessions never show a form. */
export function LazyFormValues(props: FormValuesProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <LoadedValues {...props} />
    </Suspense>
  );
}

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
