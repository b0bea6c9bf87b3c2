import type { Form, InteractionResponse } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { BriefText, VisibleText } from "../../parts/visible-text.tsx";
import { fillTemplate } from "../shared/summary-template.ts";
import { toDisplayFields, type DisplayField } from "./display-fields.ts";

/** Stands for a value that only the agent got; as long for every one. */
const SECRET_MARK = "••••";

export interface FormValuesProps {
  readonly form: Form;
  readonly response: InteractionResponse;
}

/** The values, field by field. */
export function FormValues({ form, response }: FormValuesProps): ReactNode {
  const words = toFormWords(form, response);
  return (
    <dl className="hp-answers">
      {toDisplayFields(form).map(({ name, title }) => (
        <div className="hp-answer" key={name}>
          <dt>
            <BriefText text={title} />
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
        <span className="hp-hint">given, and shown only to the agent</span>
      </>
    );
  }
  return words === "" ? <span className="hp-hint">Not given</span> : <VisibleText text={words} />;
}

/** The tool's own summary of the values. */
export function FormSummaryLine({
  form,
  response,
  template,
}: FormValuesProps & { readonly template: string }): ReactNode {
  const words = toFormWords(form, response).set("action", response.action);
  return <BriefText text={fillTemplate(template, words)} />;
}

/** The value of each field in the words of the form; empty where there is none. */
function toFormWords(form: Form, response: InteractionResponse): Map<string, string> {
  const { values = {}, redacted = [] } = response;
  return new Map(
    toDisplayFields(form).map((field) => {
      if (redacted.includes(field.name)) return [field.name, SECRET_MARK];
      const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
      return [field.name, toValueWords(field, value)];
    }),
  );
}

/** A value as the person chose it: titles of choices, Yes and No, a date and time with its zone. */
function toValueWords(field: DisplayField | undefined, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map((item) => toTitle(field, item)).join(", ");
  if (field?.control === "date_time" && typeof value === "string") return toMoment(value);
  return typeof value === "object" ? JSON.stringify(value) : toTitle(field, value);
}

function toTitle(field: DisplayField | undefined, value: unknown): string {
  return field?.choices.find((choice) => choice.value === value)?.title ?? String(value);
}

/** As it was written, so that people of all zones read the same. */
function toMoment(instant: string): string {
  const parts = /^(.{10})[Tt](\d{2}:\d{2})(:\d{2})?(\.\d+)?(.*)$/.exec(instant);
  if (parts === null) return instant;
  const [, day, time, seconds = "", fraction = "", zone = ""] = parts;
  const detail = seconds === ":00" && fraction === "" ? "" : `${seconds}${fraction}`;
  return `${day} ${time}${detail} (UTC${/^z$/i.test(zone) ? "" : zone})`;
}
