import { TextCursorInput } from "lucide-react";
import { useId, useRef, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { CardShell } from "../shared/card-shell.tsx";
import { FormErrorSummary } from "./form-error-summary.tsx";
import { FormFieldRow } from "./form-field-row.tsx";
import { useForm, type FormModel, type FormProps } from "./use-form.ts";

/** Asks for the values of a schema. Errors stand at their fields, and together in a summary that takes focus. */
export function FormCard(props: FormProps): ReactNode {
  const { form } = props;
  const summary = useRef<HTMLElement>(null);
  const model = useForm(props, summary);
  const { fields, draft, errors, answerable } = model;
  const idPrefix = useId();
  const idOf = (name: string) => `${idPrefix}${name}`;
  const { description } = form.schema;
  return (
    <CardShell
      {...props}
      kind="form"
      icon={<TextCursorInput />}
      onKeyDown={model.onKeyDown}
      actions={<FormActions model={model} />}
    >
      <div className="hp-card-body hp-form">
        {description !== undefined && (
          <p className="hp-form-description">
            <VisibleText text={description} />
          </p>
        )}
        {answerable && (
          <FormErrorSummary fields={fields} errors={errors} idOf={idOf} ref={summary} />
        )}
        {fields.map((field) => (
          <FormFieldRow
            key={field.name}
            id={idOf(field.name)}
            field={field}
            input={draft.get(field.name)}
            error={errors.get(field.name)}
            readOnly={!answerable}
            onChange={(input) => model.change(field.name, input)}
          />
        ))}
        {fields.length === 0 && <p className="hp-hint">Nothing to fill in.</p>}
      </div>
    </CardShell>
  );
}

function FormActions({ model }: { readonly model: FormModel }): ReactNode {
  const { answerable, submitting, cancel, submit } = model;
  return (
    <div className="hp-actions">
      <Button tone="quiet" blocked={!answerable} onClick={cancel}>
        Cancel
      </Button>
      <span className="hp-actions-space" />
      <Button tone="primary" className="hp-advance" blocked={!answerable} onClick={submit}>
        {submitting ? "Sending…" : "Submit"}
      </Button>
    </div>
  );
}
