import type { MouseEvent, Ref } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import type { FormField } from "./form-schema.ts";

interface FormErrorSummaryProps {
  fields: readonly FormField[];
  errors: ReadonlyMap<string, string>;
  /** Id of the control of a field. */
  idOf: (name: string) => string;
  ref: Ref<HTMLElement>;
}

/** All that is to be corrected, with a way to each field. It takes focus when sending was tried. */
export function FormErrorSummary({ fields, errors, idOf, ref }: FormErrorSummaryProps) {
  const listed = fields.filter(({ name }) => errors.has(name));
  if (listed.length === 0) return null;
  return (
    <section className="hp-error-summary" tabIndex={-1} ref={ref} aria-label="What to correct">
      <p>{listed.length === 1 ? "One field needs you" : `${listed.length} fields need you`}</p>
      <ul>
        {listed.map(({ name, title }) => (
          <li key={name}>
            <a href={`#${idOf(name)}`} onClick={(event) => focusField(event, idOf(name))}>
              <VisibleText text={title} />
            </a>
            : <VisibleText text={errors.get(name) ?? ""} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The address of the page stays as it is. */
function focusField(event: MouseEvent, id: string): void {
  event.preventDefault();
  document.getElementById(id)?.focus();
}
