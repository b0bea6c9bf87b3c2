import type { Form, InteractionResponse } from "@holdpoint/protocol";

import { VisibleText } from "../../parts/visible-text.tsx";
import { fillTemplate } from "../completed/summary-template.ts";
import { toFormFields } from "./form-fields.ts";
import { SECRET_MARK, toFormWords } from "./form-value-words.ts";

export interface FormValuesProps {
  form: Form;
  response: InteractionResponse;
}

/** What was filled in, field by field. */
export function FormValues({ form, response }: FormValuesProps) {
  const words = toFormWords(form, response);
  return (
    <dl className="hp-answers">
      {toFormFields(form).map(({ name, title }) => (
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

function FormValue({ words, isSecret }: { words: string; isSecret: boolean }) {
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
}: FormValuesProps & { template: string }) {
  const words = toFormWords(form, response).set("action", response.action);
  return <VisibleText text={fillTemplate(template, words)} />;
}
