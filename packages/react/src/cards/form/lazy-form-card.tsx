import { TextCursorInput } from "lucide-react";
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { CardShell } from "../card-shell.tsx";
import type { FormProps } from "./use-form.ts";

type Form = ComponentType<FormProps>;

let loaded: Form | undefined;

async function loadFormCard(): Promise<Form> {
  const { FormCard } = await import("./form-card.tsx");
  return (loaded = FormCard);
}

/** Loads the form's card ahead of its first use: it is there at once, also when the gateway has restarted by then. */
export function preloadFormCard(): void {
  for (const loading of [loadFormCard(), import("./form-values.tsx")])
    loading.catch(() => undefined); // Its first use says so.
}

const LoadedFormCard = lazy(async (): Promise<{ default: Form }> => {
  try {
    return { default: await loadFormCard() };
  } catch {
    // Offline, or a newer version of the page has replaced its files.
    return { default: FormNotLoaded };
  }
});

/** `FormCard`, loaded on first use: most sessions never show a form. */
export function LazyFormCard(props: FormProps): ReactNode {
  // React shows even a loaded lazy component's fallback, for 300 ms. A card keeps the one that it began with, and so what
  // is typed and where the focus is.
  const [Form] = useState<Form>(() => loaded ?? LoadedFormCard);
  return (
    <Suspense fallback={<FormNotThere {...props} words="Loading the form…" />}>
      <Form {...props} />
    </Suspense>
  );
}

function FormNotLoaded(props: FormProps): ReactNode {
  return <FormNotThere {...props} words="The form could not be loaded. Reload the page." />;
}

function FormNotThere({ words, ...props }: FormProps & { readonly words: string }): ReactNode {
  return (
    <CardShell {...props} kind="form" icon={<TextCursorInput />}>
      <div className="hp-card-body">
        <p>{words}</p>
      </div>
    </CardShell>
  );
}
