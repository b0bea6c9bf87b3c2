import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { FormChoices, isGroup } from "./form-choices.tsx";
import type { FormControlProps, FormFieldProps } from "./form-control-attributes.ts";
import { FormControl } from "./form-control.tsx";
import { toFieldHint } from "./form-hint.ts";

/** A field with its label, help, control and error. */
export function FormFieldRow(props: FormFieldProps): ReactNode {
  const say = useWords();
  const { id, field, error } = props;
  const hint = toFieldHint(field, say);
  const described = [
    field.description !== undefined && `${id}-help`,
    hint !== undefined && `${id}-hint`,
    error !== undefined && `${id}-error`,
  ].filter((part) => part !== false);
  const control = { ...props, describedBy: described.join(" ") || undefined };
  const label = (
    <span className={field.required ? "hp-required" : undefined}>
      <VisibleText text={field.title} short />
      {!field.required && field.control !== "checkbox" && (
        <span className="hp-optional"> {say("optional")}</span>
      )}
    </span>
  );
  const help = (
    <>
      {field.description !== undefined && (
        <p className="hp-hint" id={`${id}-help`}>
          <VisibleText text={field.description} />
        </p>
      )}
      {hint !== undefined && (
        <p className="hp-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
  const errorLine = error !== undefined && (
    <p className="hp-field-error" id={`${id}-error`}>
      <TriangleAlert aria-hidden />
      <VisibleText text={say.translate(error)} />
    </p>
  );
  return <Frame {...{ control, label, help, errorLine }} />;
}

interface FrameProps {
  readonly control: FormControlProps;
  readonly label: ReactNode;
  readonly help: ReactNode;
  readonly errorLine: ReactNode;
}

/** A group of controls has a legend, a single control has a label. */
function Frame({ control, label, help, errorLine }: FrameProps): ReactNode {
  const say = useWords();
  const { id, field, error, describedBy } = control;
  if (field.control === "checkbox") {
    return (
      <div className="hp-field">
        <FormChoices {...control} label={label} />
        {help}
        {errorLine}
      </div>
    );
  }
  if (!isGroup(field)) {
    return (
      <div className="hp-field">
        <label className="hp-label" htmlFor={id}>
          {label}
        </label>
        {help}
        <FormControl {...control} />
        {errorLine}
      </div>
    );
  }
  const radios = field.control !== "checkboxes";
  return (
    <fieldset
      className="hp-field"
      aria-describedby={describedBy}
      {...(radios && {
        role: "radiogroup",
        "aria-required": field.required,
        "aria-invalid": error !== undefined,
      })}
    >
      <legend className="hp-label">
        {label}
        {!radios && field.required && (
          <span className="hp-visually-hidden"> {say("required")}</span>
        )}
      </legend>
      {help}
      <FormChoices {...control} label={undefined} />
      {errorLine}
    </fieldset>
  );
}
