import type { Form, InteractionResponse } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { VisibleText } from "../../parts/visible-text.tsx";
import { fillTemplate } from "../completed/summary-template.ts";
import { toDisplayFields } from "./display-fields.ts";
import { SECRET_MARK, toFormWords } from "./form-value-words.ts";

export interface FormValuesProps {
  readonly form: Form;
  readonly response: InteractionResponse;
}

/** What was filled in, field by field. */
export function FormValues({ form, response }: FormValuesProps): ReactNode {
  const words = toFormWords(form, response);
  return (
    <dl className="hp-answers">
      {toDisplayFields(form).map(({ name, title }) => (
        <div className="hp-answer" key={name}>
          <dt>
            <VisibleText text={title} />
          </dt>
          <dd className="hp-answer-words">
            <FormValue
              words={words.get(name) ?? ""}
              isSecret={response.redacted?.includes(name) === true}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FormValue({
  words,
  isSecret,
}: {
  readonly words: string;
  readonly isSecret: boolean;
}): ReactNode {
  if (isSecret) {
    return (
      <>
        <span aria-hidden="true">{SECRET_MARK}</span>{" "}
        <span className="hp-hint">given, and shown to nobody but the agent</span>
      </>
    );
  }
  return words === "" ? <span className="hp-hint">Not given</span> : <VisibleText text={words} />;
}

/** The tool's own summary of what was filled in. */
export function FormSummaryLine({
  form,
  response,
  template,
}: FormValuesProps & { readonly template: string }): ReactNode {
  const words = toFormWords(form, response).set("action", response.action);
  return <VisibleText text={fillTemplate(template, words)} />;
}
