import type { Form, InteractionResponse } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { BriefText, VisibleText } from "../../parts/visible-text.tsx";
import { useWords, type Say } from "../../words/use-words.ts";
import { fillTemplate } from "../shared/summary-template.ts";
import { toDisplayFields, type DisplayField } from "./display-fields.ts";
import { VisitPage } from "./visit-page.tsx";

/** Stands in for a secret, which only the agent gets. Always of the same length. */
const SECRET_MARK = "••••";

export interface FormValuesProps {
  readonly form: Form;
  readonly response: InteractionResponse;
}

export function FormValues({ form, response }: FormValuesProps): ReactNode {
  const say = useWords();
  const words = toFormWords(form, response, say);
  return (
    <dl className="hp-answers">
      {form.visit !== undefined && (
        <div className="hp-answer">
          <dt>{say("The page")}</dt>
          <dd className="hp-answer-words">
            <VisitPage url={form.visit.url} />
          </dd>
        </div>
      )}
      {toDisplayFields(form, say).map(({ name, title }) => (
        <div className="hp-answer" key={name}>
          <dt>
            <BriefText text={title} />
          </dt>
          <dd className="hp-answer-words">
            <FormValue
              words={words.get(name) ?? ""}
              isSecret={response.redacted?.includes(name) === true}
              isForServer={form.server !== undefined}
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
  isForServer,
}: {
  readonly words: string;
  readonly isSecret: boolean;
  readonly isForServer: boolean;
}): ReactNode {
  const say = useWords();
  if (isSecret) {
    return (
      <>
        <span aria-hidden="true">{SECRET_MARK}</span>{" "}
        <span className="hp-hint">
          {isForServer ? say("sent to the server, not stored here") : say("sent to the agent only")}
        </span>
      </>
    );
  }
  return words === "" ? (
    <span className="hp-hint">{say("Not given")}</span>
  ) : (
    <VisibleText text={words} />
  );
}

interface FormSummaryProps extends FormValuesProps {
  /** Absent: the values are listed in the order of the form. */
  readonly template?: string | undefined;
}

/** The values in one line, by the tool's template if there is one. */
export function FormSummaryLine({ form, response, template }: FormSummaryProps): ReactNode {
  const say = useWords();
  const words = toFormWords(form, response, say);
  const said =
    template === undefined
      ? undefined
      : fillTemplate(template, new Map(words).set("action", response.action));
  return <BriefText text={said ?? toPlainLine(form, words, say)} />;
}

/** The values, each after its title unless there is only one. */
function toPlainLine(form: Form, words: ReadonlyMap<string, string>, say: Say): string {
  const fields = toDisplayFields(form, say);
  return fields
    .flatMap(({ name, title }) => {
      const value = words.get(name) ?? "";
      return value === "" ? [] : [fields.length === 1 ? value : `${title}: ${value}`];
    })
    .join(" · ");
}

/** The display text of each field's value; empty if there is no value. */
function toFormWords(form: Form, response: InteractionResponse, say: Say): Map<string, string> {
  const { values = {}, redacted = [] } = response;
  return new Map(
    toDisplayFields(form, say).map((field) => {
      if (redacted.includes(field.name)) return [field.name, SECRET_MARK];
      const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
      return [field.name, toValueWords(field, value, say)];
    }),
  );
}

/** A value in the person's terms: titles of choices, Yes and No, a date and time with its zone. */
function toValueWords(field: DisplayField, value: unknown, say: Say): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return say(value ? "Yes" : "No");
  if (Array.isArray(value)) return value.map((item) => toTitle(field, item)).join(", ");
  if (field.control === "date_time" && typeof value === "string") return toMoment(value);
  return typeof value === "object" ? JSON.stringify(value) : toTitle(field, value);
}

function toTitle(field: DisplayField, value: unknown): string {
  return field.choices.find((choice) => choice.value === value)?.title ?? String(value);
}

/** The date and time as written, so that people in all zones read the same. */
function toMoment(instant: string): string {
  const parts = /^(.{10})[Tt](\d{2}:\d{2})(:\d{2})?(\.\d+)?(.*)$/.exec(instant);
  if (parts === null) return instant;
  const [, day, time, seconds = "", fraction = "", zone = ""] = parts;
  const detail = seconds === ":00" && fraction === "" ? "" : `${seconds}${fraction}`;
  return `${day} ${time}${detail} (UTC${/^z$/i.test(zone) ? "" : zone})`;
}
