import type { Form } from "@holdpoint/protocol";
import { useCallback, useMemo, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";

import type { OpenCardProps } from "./card-props.ts";
import { isAnswerable } from "./card-state.ts";
import { checkForm, createFormDraft, parseFormDraft, toStoredForm } from "./form-draft.ts";
import type { FieldInput } from "./form-draft.ts";
import { toFormFields } from "./form-schema.ts";
import { isComposing } from "./keyboard.ts";
import { useDraft } from "./use-draft.ts";

export type FormProps = OpenCardProps & { form: Form };

/** What stands in the fields, what is wrong with it, and how it is sent; `summary` takes focus when it can't be. */
export function useForm(
  { interaction, form, response, drafts }: FormProps,
  summary: RefObject<HTMLElement | null>,
) {
  const { state, send } = response;
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
  // What the gateway or the tool has judged: its errors are about that, not about what was typed since.
  const [judged, setJudged] = useState(() => createFormDraft(fields));

  const check = checkForm(fields, draft);
  const given = givenErrors(
    state.phase === "invalid" ? state.fieldErrors : interaction.fieldErrors,
  );
  const current = given.filter(([name]) => isSameInput(draft.get(name), judged.get(name)));
  const errors = new Map([...current, ...(tried ? check.errors : [])]);

  const change = (name: string, input: FieldInput) => {
    if (answerable) setStored(toStoredForm(new Map(draft).set(name, input)));
  };
  const submit = () => {
    if (!answerable) return;
    setTried(true);
    setJudged(draft);
    if (check.errors.size === 0) send({ action: "submit", values: { ...check.values } });
    else requestAnimationFrame(() => summary.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key, shiftKey, repeat } = event;
    if (key !== "Enter" || shiftKey || repeat || isComposing(event)) return;
    if (!(target instanceof HTMLElement) || target.closest("button, a, textarea, select")) return;
    event.preventDefault();
    submit();
  };
  return {
    answerable,
    submitting: state.phase === "submitting",
    fields,
    draft,
    errors,
    summarized: tried && answerable,
    change,
    submit,
    cancel: () => send({ action: "cancel" }),
    onKeyDown,
  };
}

/** A tool keys its errors by field, the gateway by the field of the response. */
function givenErrors(errors: Readonly<Record<string, string>> | undefined): [string, string][] {
  return Object.entries(errors ?? {}).map(([path, message]) => [
    path.startsWith("values.") ? path.slice("values.".length) : path,
    message,
  ]);
}

function isSameInput(one: FieldInput | undefined, other: FieldInput | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
