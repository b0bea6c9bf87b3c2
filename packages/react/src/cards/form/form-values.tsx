import type { Form, InteractionResponse } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { BriefText, VisibleText } from "../../parts/visible-text.tsx";
import { useWords, type Say } from "../../words/use-words.ts";
import { fillTemplate } from "../shared/summary-template.ts";
import { toDisplayFields, type DisplayField } from "./display-fields.ts";
import { VisitPage } from "./visit-page.tsx";

/** Stands for a value that only the agent got; as long for every one. */
const SECRET_MARK = "••••";

export interface FormValuesProps {
  readonly form: Form;
  readonly response: InteractionResponse;
}

/** The values, field by field. */
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
          {isForServer
            ? say("given to the server, and not kept here")
            : say("given, and shown only to the agent")}
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

export interface FormSummaryProps extends FormValuesProps {
  /** Absent: the values that were given, in the order of the form. */
  readonly template?: string | undefined;
}

/** The values in a line: in the tool's own words where it has some. */
export function FormSummaryLine({ form, response, template }: FormSummaryProps): ReactNode {
  const say = useWords();
  const words = toFormWords(form, response, say);
  const said =
    template === undefined
      ? undefined
      : fillTemplate(template, new Map(words).set("action", response.action));
  return <BriefText text={said ?? toPlainLine(form, words, say)} />;
}

/** What the fields hold, each after its title unless it is the only one. */
function toPlainLine(form: Form, words: ReadonlyMap<string, string>, say: Say): string {
  const fields = toDisplayFields(form, say);
  return fields
    .flatMap(({ name, title }) => {
      const value = words.get(name) ?? "";
      return value === "" ? [] : [fields.length === 1 ? value : `${title}: ${value}`];
    })
    .join(" · ");
}

/** The value of each field in the words of the form; empty where there is none. */
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

/** A value as the person chose it: titles of choices, Yes and No, a date and time with its zone. */
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

/** As it was written, so that people of all zones read the same. */
function toMoment(instant: string): string {
  const parts = /^(.{10})[Tt](\d{2}:\d{2})(:\d{2})?(\.\d+)?(.*)$/.exec(instant);
  if (parts === null) return instant;
  const [, day, time, seconds = "", fraction = "", zone = ""] = parts;
  const detail = seconds === ":00" && fraction === "" ? "" : `${seconds}${fraction}`;
  return `${day} ${time}${detail} (UTC${/^z$/i.test(zone) ? "" : zone})`;
}
