import type { FieldChoice } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { usePaged } from "../../parts/use-paged.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import type { DisplayField } from "./display-fields.ts";
import type { FormControlProps } from "./form-control-attributes.ts";

const YES_NO = [
  { value: "yes", title: "Yes" },
  { value: "no", title: "No" },
] as const;

/** How many choices are drawn at a time. */
const CHOICES_AT_ONCE = 50;

export function isGroup({ control }: DisplayField): boolean {
  return control === "radios" || control === "yes_no" || control === "checkboxes";
}

/** Radio buttons for one choice, checkboxes for several, and one checkbox, with `label`, for an optional Yes. */
export function FormChoices({
  label,
  ...props
}: FormControlProps & { readonly label: ReactNode }): ReactNode {
  if (props.field.control === "checkbox") return <SingleCheckbox {...props} label={label} />;
  return <ChoiceGroup {...props} />;
}

function ChoiceGroup(props: FormControlProps): ReactNode {
  const say = useWords();
  const { id, field, input, error, readOnly, onChange } = props;
  const many = field.control === "checkboxes";
  const all: readonly FieldChoice[] =
    field.control === "yes_no"
      ? YES_NO.map(({ value, title }) => ({ value, title: say(title) }))
      : field.choices;
  const { shown: choices, more } = usePaged(all, CHOICES_AT_ONCE);
  const chosen = typeof input === "string" ? [input] : (input ?? []);
  const toggle = (value: string) => {
    if (!many) onChange(value);
    else if (chosen.includes(value)) onChange(chosen.filter((other) => other !== value));
    else onChange([...chosen, value]);
  };
  const canClear = !many && !field.required && chosen.length > 0 && !readOnly;
  return (
    <div className={field.control === "yes_no" ? "hp-options hp-options-row" : "hp-options"}>
      {choices.map(({ value, title }, index) => (
        <label key={value} className="hp-option" data-checked={chosen.includes(value) || undefined}>
          <input
            id={index === 0 ? id : undefined}
            type={many ? "checkbox" : "radio"}
            name={id}
            checked={chosen.includes(value)}
            aria-disabled={readOnly || undefined}
            aria-invalid={many ? error !== undefined : undefined}
            onChange={() => toggle(value)}
          />
          <span className="hp-option-label">
            <VisibleText text={title} short />
          </span>
        </label>
      ))}
      {more}
      {canClear && (
        <Button tone="quiet" className="hp-clear" onClick={() => onChange(undefined)}>
          {say("Clear selection")}
        </Button>
      )}
    </div>
  );
}

/** Untouched, it is no answer; ticked and unticked again, it is a No. */
function SingleCheckbox(props: FormControlProps & { readonly label: ReactNode }): ReactNode {
  const { id, input, error, readOnly, onChange, describedBy, label } = props;
  const checked = input === "yes";
  return (
    <label className="hp-option" data-checked={checked || undefined}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-disabled={readOnly || undefined}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy}
        onChange={() => onChange(checked ? "no" : "yes")}
      />
      <span className="hp-option-label">{label}</span>
    </label>
  );
}
