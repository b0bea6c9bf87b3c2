import type { Form } from "@holdpoint/protocol";
import { TextCursorInput } from "lucide-react";
import { useCallback, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";

import { Button } from "../parts/button.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { CardNotice } from "./card-notice.tsx";
import type { OpenCardProps } from "./card-props.ts";
import { CardShell } from "./card-shell.tsx";
import { isAnswerable } from "./card-state.ts";
import { CardTiming } from "./card-timing.tsx";
import { checkForm, createFormDraft, parseFormDraft, toStoredForm } from "./form-draft.ts";
import type { FieldInput } from "./form-draft.ts";
import { FormFieldRow } from "./form-field.tsx";
import { toFormFields } from "./form-schema.ts";
import { isComposing } from "./keyboard.ts";
import { useDraft } from "./use-draft.ts";

/** Asks for the values of a schema. Errors stand at their fields, and together in a summary that takes focus. */
export function FormCard(props: OpenCardProps & { form: Form }) {
  const { interaction, form, response, drafts } = props;
  const { state } = response;
  const answerable = isAnswerable(state);
  const fields = useMemo(() => toFormFields(form), [form]);
  const [stored, setStored] = useDraft<unknown>({
    drafts,
    key: interaction.interactionId,
    initial: undefined,
    parse: useCallback((value: unknown) => value, []),
  });
  const draft = parseFormDraft(fields, stored) ?? createFormDraft(fields);
  const [tried, setTried] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const idPrefix = useId();

  const check = checkForm(fields, draft);
  const given = givenErrors(
    state.phase === "invalid" ? state.fieldErrors : interaction.fieldErrors,
  );
  const errors = new Map([...given, ...(tried ? check.errors : [])]);

  const change = (name: string, input: FieldInput) => {
    if (answerable) setStored(toStoredForm(new Map(draft).set(name, input)));
  };
  const submit = () => {
    if (!answerable) return;
    setTried(true);
    if (check.errors.size === 0) response.send({ action: "submit", values: { ...check.values } });
    else requestAnimationFrame(() => summary.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key, shiftKey, repeat } = event;
    if (key !== "Enter" || shiftKey || repeat || isComposing(event)) return;
    if (!(target instanceof HTMLElement) || target.closest("button, a, textarea, select")) return;
    event.preventDefault();
    submit();
  };
  const listed = fields.filter(({ name }) => errors.has(name));

  return (
    <CardShell
      {...props}
      interactionId={interaction.interactionId}
      agentId={interaction.agentId}
      tone={answerable ? "waiting" : "quiet"}
      kind="form"
      icon={<TextCursorInput />}
      title={interaction.prompt ?? "A form to fill in"}
      meta={<CardTiming interaction={interaction} />}
      onKeyDown={onKeyDown}
    >
      <CardNotice state={state} interaction={interaction} onRetry={response.retry} />
      <div className="hp-card-body hp-form">
        {tried && listed.length > 0 && (
          <section
            className="hp-error-summary"
            tabIndex={-1}
            ref={summary}
            aria-label="What to correct"
          >
            <p>
              {listed.length === 1 ? "One field needs you" : `${listed.length} fields need you`}
            </p>
            <ul>
              {listed.map(({ name, title }) => (
                <li key={name}>
                  <a
                    href={`#${idPrefix}${name}`}
                    onClick={(event) => focusField(event, `${idPrefix}${name}`)}
                  >
                    <VisibleText text={title} />
                  </a>
                  : <VisibleText text={errors.get(name) ?? ""} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {fields.map((field) => (
          <FormFieldRow
            key={field.name}
            id={`${idPrefix}${field.name}`}
            field={field}
            input={draft.get(field.name)}
            error={errors.get(field.name)}
            readOnly={!answerable}
            onChange={(input) => change(field.name, input)}
          />
        ))}
        {fields.length === 0 && <p className="hp-hint">Nothing to fill in.</p>}
      </div>
      {state.phase !== "read_only" && (
        <div className="hp-actions">
          <Button
            tone="quiet"
            blocked={!answerable}
            onClick={() => response.send({ action: "cancel" })}
          >
            Cancel
          </Button>
          <span className="hp-actions-space" />
          <Button tone="primary" className="hp-advance" blocked={!answerable} onClick={submit}>
            {state.phase === "submitting" ? "Sending…" : "Submit"}
          </Button>
        </div>
      )}
    </CardShell>
  );
}

/** A tool keys its errors by field, the gateway by the field of the response. */
function givenErrors(errors: Readonly<Record<string, string>> | undefined): [string, string][] {
  return Object.entries(errors ?? {}).map(([path, message]) => [
    path.startsWith("values.") ? path.slice("values.".length) : path,
    message,
  ]);
}

function focusField(event: { preventDefault: () => void }, id: string): void {
  event.preventDefault();
  document.getElementById(id)?.focus();
}
