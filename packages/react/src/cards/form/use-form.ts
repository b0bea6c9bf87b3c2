import type { Form } from "@holdpoint/protocol";
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";

import { focusedElement } from "../../parts/focused-element.ts";
import type { Unshown } from "../../parts/unshown.tsx";
import { useWords } from "../../words/use-words.ts";
import type { OpenCardProps } from "../shared/card-shell.tsx";
import { acceptsAnswer } from "../shared/card-state.ts";
import { isComposing } from "../shared/keyboard.ts";
import { useArming } from "../shared/use-arming.ts";
import { useCardDraft } from "../shared/use-card-draft.ts";
import { toDisplayFields, type DisplayField } from "./display-fields.ts";
import {
  checkForm,
  createFormDraft,
  parseFormDraft,
  toStoredForm,
  type FieldInput,
  type FormDraft,
} from "./form-draft.ts";

export type FormProps = OpenCardProps & { readonly form: Form };

/** The fields of a form with their contents and errors, and the ways to send it. */
export interface FormModel {
  readonly answerable: boolean;
  readonly submitting: boolean;
  readonly fields: readonly DisplayField[];
  readonly draft: FormDraft;
  /** By field name. Fields without an error are missing. */
  readonly errors: ReadonlyMap<string, string>;
  /** `undefined` empties the field. */
  readonly change: (name: string, input: FieldInput | undefined) => void;
  readonly submit: () => void;
  readonly cancel: () => void;
  /** Sends the MCP server a refusal. */
  readonly decline: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/**
 * The state of an open form. `unshown`: not all of its fields have been in view, so it cannot be sent. `summary`: the
 * list of errors, which takes the focus if the form cannot be sent.
 */
export function useForm(
  { interaction, form, response, drafts }: FormProps,
  summary: RefObject<HTMLElement | null>,
  unshown: Unshown | undefined,
): FormModel {
  const { state, send } = response;
  const say = useWords();
  const answerable = acceptsAnswer(state);
  const fields = useMemo(() => toDisplayFields(form, say), [form, say]);
  const [draft, setDraft] = useFormDraft(fields, { drafts, key: interaction.interactionId });
  const [tries, setTries] = useState(0);
  // Ignores the second press of a double press that was meant for the previous round.
  const armed = useArming("", interaction.previousId !== undefined);
  // The input that the gateway or the tool has checked: its errors do not apply to later changes.
  const [judged, setJudged] = useState(() => createFormDraft(fields));

  const check = checkForm(fields, draft);
  const given = givenErrors(
    state.phase === "invalid" ? state.fieldErrors : interaction.fieldErrors,
  );
  const current = given.filter(([name]) => isSameInput(draft.get(name), judged.get(name)));
  const errors = new Map([...current, ...(tries > 0 ? check.errors : [])]);
  const isFine = check.errors.size === 0;
  useFocusOnErrors(summary, { tries: isFine ? 0 : tries, isRefused: state.phase === "invalid" });

  const change: FormModel["change"] = (name, input) => {
    if (!answerable) return;
    const next = new Map(draft);
    if (input === undefined) next.delete(name);
    else next.set(name, input);
    setDraft(next);
  };
  const submit = (): void => {
    if (!answerable || !armed) return;
    if (unshown !== undefined) {
      unshown.moves?.show();
      return;
    }
    setTries(tries + 1);
    setJudged(draft);
    if (isFine) send({ action: "submit", values: { ...check.values } });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, key, shiftKey, ctrlKey, metaKey, repeat } = event;
    if (key !== "Enter" || shiftKey || repeat || isComposing(event)) return;
    if (!(target instanceof HTMLElement) || target.closest("button, a, dialog")) return;
    // In these fields, Enter alone has another meaning.
    if (!ctrlKey && !metaKey && target.closest("textarea, select")) return;
    event.preventDefault();
    submit();
  };
  return {
    answerable,
    submitting: state.phase === "submitting",
    fields,
    draft,
    errors,
    change,
    submit,
    cancel: () => send({ action: "cancel" }),
    decline: () => send({ action: "deny" }),
    onKeyDown,
  };
}

/** Stored, except for secret fields, which are kept only while a card of the form is shown. */
function useFormDraft(
  fields: readonly DisplayField[],
  { drafts, key }: Pick<OpenCardProps, "drafts"> & { readonly key: string },
): readonly [FormDraft, (next: FormDraft) => void] {
  return useCardDraft<FormDraft>({
    drafts,
    key,
    initial: createFormDraft(fields),
    parse: (stored) => parseFormDraft(fields, stored),
    toStored: useCallback((draft: FormDraft) => toStoredForm(fields, draft), [fields]),
  });
}

/** Moves the focus to the list of errors after an attempt with errors, or a refusal. */
function useFocusOnErrors(
  summary: RefObject<HTMLElement | null>,
  { tries, isRefused }: { readonly tries: number; readonly isRefused: boolean },
): void {
  const last = useRef({ tries, isRefused });
  useEffect(() => {
    const isNew = tries > last.current.tries || (isRefused && !last.current.isRefused);
    last.current = { tries, isRefused };
    if (isNew && isNear(summary.current)) summary.current?.focus();
  }, [summary, tries, isRefused]);
}

/** Whether the focus is in this card or nowhere. If the person has moved on, the focus stays where it is. */
function isNear(element: HTMLElement | null): boolean {
  const activeElement = focusedElement();
  const card = element?.closest("article");
  return activeElement === document.body || card?.contains(activeElement) === true;
}

/** The tool keys its errors by field, the gateway by the field of the response. */
function givenErrors(errors: Readonly<Record<string, string>> | undefined): [string, string][] {
  return Object.entries(errors ?? {}).map(([path, message]) => [
    path.startsWith("values.") ? path.slice("values.".length) : path,
    message,
  ]);
}

function isSameInput(one: FieldInput | undefined, other: FieldInput | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
