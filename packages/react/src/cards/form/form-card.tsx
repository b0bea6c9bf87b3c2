import { TextCursorInput } from "lucide-react";
import { useId, useRef, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { UnshownContext, useUnshownParts } from "../../parts/unshown.tsx";
import { usePaged } from "../../parts/use-paged.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { CardShell } from "../shared/card-shell.tsx";
import { FormErrorSummary } from "./form-error-summary.tsx";
import { FormFieldRow } from "./form-field-row.tsx";
import { useForm, type FormModel, type FormProps } from "./use-form.ts";

/** Asks for the values of a schema. Errors stand at their fields, and together in a summary that takes focus. */
export function FormCard(props: FormProps): ReactNode {
  const { form } = props;
  const summary = useRef<HTMLElement>(null);
  const [unshown, onUnshown] = useUnshownParts();
  const model = useForm(props, summary, unshown !== undefined);
  const { fields, errors, answerable } = model;
  const idPrefix = useId();
  const idOf = (name: string) => `${idPrefix}${name}`;
  const { description } = form.schema;
  return (
    <CardShell
      {...props}
      kind="form"
      icon={<TextCursorInput />}
      onKeyDown={model.onKeyDown}
      onUnshown={onUnshown}
      actions={<FormActions model={model} unshown={unshown} />}
    >
      <div className="hp-card-body hp-form">
        {description !== undefined && (
          <p className="hp-form-description">
            <UnshownContext value={undefined}>
              <VisibleText text={description} />
            </UnshownContext>
          </p>
        )}
        {answerable && (
          <FormErrorSummary fields={fields} errors={errors} idOf={idOf} ref={summary} />
        )}
        <FormFields model={model} idOf={idOf} />
        {fields.length === 0 && <p className="hp-hint">Nothing to fill in.</p>}
      </div>
    </CardShell>
  );
}

/** So many fields are drawn at a time. */
const FIELDS_AT_ONCE = 30;

interface FormFieldsProps {
  readonly model: FormModel;
  readonly idOf: (name: string) => string;
}

function FormFields({ model, idOf }: FormFieldsProps): ReactNode {
  const { shown, more } = usePaged(model.fields, FIELDS_AT_ONCE);
  return (
    <>
      {/* A long label need not be read to the end. */}
      <UnshownContext value={undefined}>
        {shown.map((field) => (
          <FormFieldRow
            key={field.name}
            id={idOf(field.name)}
            field={field}
            input={model.draft.get(field.name)}
            error={model.errors.get(field.name)}
            readOnly={!model.answerable}
            onChange={(input) => model.change(field.name, input)}
          />
        ))}
      </UnshownContext>
      {more}
    </>
  );
}

interface FormActionsProps {
  readonly model: FormModel;
  /** What has to be seen before it can be sent. */
  readonly unshown: string | undefined;
}

function FormActions({ model, unshown }: FormActionsProps): ReactNode {
  const { answerable, submitting, cancel, submit } = model;
  return (
    <div className="hp-actions">
      <Button tone="quiet" blocked={!answerable} onClick={cancel}>
        Cancel
      </Button>
      <span className="hp-actions-space">
        {unshown !== undefined && <span className="hp-missing">{unshown}</span>}
      </span>
      <Button
        tone="primary"
        className="hp-advance"
        blocked={!answerable || unshown !== undefined}
        onClick={submit}
      >
        {submitting ? "Sending…" : "Submit"}
      </Button>
    </div>
  );
}
