import type { MouseEvent, ReactNode, Ref } from "react";

import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import type { DisplayField } from "./display-fields.ts";

interface FormErrorSummaryProps {
  readonly fields: readonly DisplayField[];
  readonly errors: ReadonlyMap<string, string>;
  /** Returns the id of a field's control. */
  readonly idOf: (name: string) => string;
  readonly ref: Ref<HTMLElement>;
}

/** All errors, each with a link to its field. Takes the focus after an attempt to send. */
export function FormErrorSummary({ fields, errors, idOf, ref }: FormErrorSummaryProps): ReactNode {
  const say = useWords();
  if (errors.size === 0) return null;
  const titles = new Map(fields.map(({ name, title }) => [name, title]));
  const order = [...titles.keys()];
  const listed = [...errors].toSorted(
    ([one], [other]) => order.indexOf(one) - order.indexOf(other),
  );
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- neither a landmark (several cards may have one) nor a fieldset
      role="group"
      className="hp-error-summary"
      tabIndex={-1}
      ref={ref}
      aria-label={say("Fields to fix")}
    >
      <p>{say("Fix {count} field|Fix {count} fields", { count: listed.length })}</p>
      <ul>
        {listed.map(([name, error]) => (
          <li key={name}>
            {titles.has(name) ? (
              <a href={`#${idOf(name)}`} onClick={(event) => focusField(event, idOf(name))}>
                <BriefText text={titles.get(name) ?? name} />
              </a>
            ) : (
              <BriefText text={name} />
            )}
            : <BriefText text={say.translate(error)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Focuses a field without changing the address of the page. */
function focusField(event: MouseEvent, id: string): void {
  event.preventDefault();
  // The document, or an element's shadow root.
  const root = (event.currentTarget as Node).getRootNode() as Document | ShadowRoot;
  root.getElementById(id)?.focus();
}
