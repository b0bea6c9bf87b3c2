import type { Form } from "@holdpoint/protocol";
import { ExternalLink, TextCursorInput } from "lucide-react";
import { useId, useRef, type ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { Button } from "../../parts/button.tsx";
import { useInView } from "../../parts/in-view.tsx";
import { UnshownContext, useUnshownParts, type Unshown } from "../../parts/unshown.tsx";
import { usePaged } from "../../parts/use-paged.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { CardShell } from "../shared/card-shell.tsx";
import { MissingWords } from "../shared/missing-words.tsx";
import { AskingServer, ServerAnswers } from "./asking-server.tsx";
import type { FormFieldProps } from "./form-control-attributes.ts";
import { FormErrorSummary } from "./form-error-summary.tsx";
import { FormFieldRow } from "./form-field-row.tsx";
import { useForm, type FormModel, type FormProps } from "./use-form.ts";
import { VisitPage } from "./visit-page.tsx";

/** Asks for the values of a schema. Errors are shown at their fields, and in a summary that takes the focus. */
export function FormCard(props: FormProps): ReactNode {
  const say = useWords();
  const { form } = props;
  const summary = useRef<HTMLElement>(null);
  const [unshown, onUnshown] = useUnshownParts();
  const model = useForm(props, summary, unshown);
  const { fields, errors, answerable } = model;
  const idPrefix = useId();
  const idOf = (name: string) => `${idPrefix}${name}`;
  const { description } = form.schema;
  return (
    <CardShell
      {...props}
      kind="form"
      icon={form.visit === undefined ? <TextCursorInput /> : <ExternalLink />}
      onKeyDown={model.onKeyDown}
      onUnshown={onUnshown}
      actions={<FormActions form={form} model={model} unshown={unshown} />}
    >
      <div className="hp-card-body hp-form">
        <AskingServer form={form} />
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
        {form.visit !== undefined && <VisitInView url={form.visit.url} canOpen={answerable} />}
        <FormFields model={model} idOf={idOf} />
        {fields.length === 0 && form.visit === undefined && (
          <p className="hp-hint">{say("Nothing to fill in.")}</p>
        )}
        {answerable && <ServerAnswers form={form} />}
      </div>
    </CardShell>
  );
}

/** How many fields are drawn at a time. */
const FIELDS_AT_ONCE = 30;

interface FormFieldsProps {
  readonly model: FormModel;
  readonly idOf: (name: string) => string;
}

function FormFields({ model, idOf }: FormFieldsProps): ReactNode {
  const { shown, more } = usePaged(model.fields, FIELDS_AT_ONCE);
  return (
    <>
      {shown.map((field) => (
        <FieldInView
          key={field.name}
          id={idOf(field.name)}
          field={field}
          input={model.draft.get(field.name)}
          error={model.errors.get(field.name)}
          readOnly={!model.answerable}
          onChange={(input) => model.change(field.name, input)}
        />
      ))}
      {more}
    </>
  );
}

/** A field that must be seen before the form can be sent. A long label need not be read to its end. */
function FieldInView(props: FormFieldProps): ReactNode {
  const row = useRef<HTMLDivElement>(null);
  useInView(row);
  return (
    <div ref={row}>
      <Boundary>
        <UnshownContext value={undefined}>
          <FormFieldRow {...props} />
        </UnshownContext>
      </Boundary>
    </div>
  );
}

/** An address that must be seen before the person can confirm having been there. */
function VisitInView(props: { readonly url: string; readonly canOpen: boolean }): ReactNode {
  const part = useRef<HTMLDivElement>(null);
  useInView(part);
  return (
    <div ref={part}>
      <VisitPage {...props} />
    </div>
  );
}

interface FormActionsProps {
  readonly form: Form;
  readonly model: FormModel;
  /** The parts that must still be seen before the form can be sent. */
  readonly unshown: Unshown | undefined;
}

function FormActions({ form, model, unshown }: FormActionsProps): ReactNode {
  const say = useWords();
  const { answerable, submitting, cancel, decline, submit } = model;
  const submitWords = form.visit === undefined ? say("Submit") : say("Done");
  const wordsId = useId();
  return (
    <div className="hp-actions">
      <Button tone="quiet" blocked={!answerable} onClick={cancel}>
        {say("Cancel")}
      </Button>
      {form.server !== undefined && (
        <Button tone="danger" blocked={!answerable} onClick={decline}>
          {say("Decline")}
        </Button>
      )}
      <span className="hp-actions-space" id={wordsId}>
        <MissingWords words={unshown?.words} moves={unshown?.moves} />
      </span>
      <Button
        tone="primary"
        className="hp-advance"
        blocked={!answerable || unshown !== undefined}
        aria-describedby={unshown === undefined ? undefined : wordsId}
        onClick={submit}
        onBlocked={unshown?.moves?.show}
      >
        {submitting ? say("Sending…") : submitWords}
      </Button>
    </div>
  );
}
