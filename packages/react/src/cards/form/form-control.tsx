import { Eye, EyeOff } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { toVisibleString } from "../../parts/visible-string.ts";
import { useWords } from "../../words/use-words.ts";
import type { DisplayField } from "./display-fields.ts";
import { toControlAttributes, type FormControlProps } from "./form-control-attributes.ts";
import { FormLongText } from "./form-long-text.tsx";

/** The control of a field that consists of one control. */
export function FormControl(props: FormControlProps): ReactNode {
  switch (props.field.control) {
    case "select":
      return <ChoiceList {...props} />;
    case "long_text":
      return <FormLongText {...props} />;
    case "secret":
      return <SecretInput {...props} />;
    default:
      return <LineInput {...props} />;
  }
}

/** Options are identified by their position, since a choice may be an empty text, which also means "no answer". */
function ChoiceList(props: FormControlProps): ReactNode {
  const say = useWords();
  const { field, input, readOnly, onChange } = props;
  const place = field.choices.findIndex(({ value }) => value === input);
  return (
    <select
      {...toControlAttributes(props)}
      value={place < 0 ? "" : String(place)}
      aria-disabled={readOnly || undefined}
      onChange={({ target }) =>
        onChange(target.value === "" ? undefined : field.choices[Number(target.value)]?.value)
      }
    >
      <option value="">{field.required ? say("Choose…") : say("No answer")}</option>
      {field.choices.map(({ value, title }, index) => (
        <option key={value} value={String(index)}>
          {toVisibleString(title)}
        </option>
      ))}
    </select>
  );
}

function LineInput(props: FormControlProps): ReactNode {
  const { field, readOnly, onChange } = props;
  return (
    <input
      {...toControlAttributes(props)}
      type={toInputType(field)}
      // The browser's number field hides text that it cannot parse, so an error could not refer to it.
      inputMode={field.control === "number" ? toNumberKeys(field) : undefined}
      readOnly={readOnly}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    />
  );
}

function toInputType({ control, schema }: DisplayField): string {
  if (control === "date") return "date";
  if (control === "date_time") return "datetime-local";
  const format = "format" in schema ? schema.format : undefined;
  return format === "email" ? "email" : format === "uri" ? "url" : "text";
}

/** The numeric keyboards of some phones lack a minus sign. */
function toNumberKeys({ schema }: DisplayField): "numeric" | "decimal" | "text" {
  if (schema.type !== "integer" && schema.type !== "number") return "text";
  if ((schema.minimum ?? -1) < 0) return "text";
  return schema.type === "integer" ? "numeric" : "decimal";
}

/** Masked unless the person reveals it, and masked again while it is sent. */
function SecretInput(props: FormControlProps): ReactNode {
  const say = useWords();
  const { readOnly, onChange } = props;
  const [wanted, setWanted] = useState(false);
  const shown = wanted && !readOnly;
  return (
    <span className="hp-secret">
      <input
        {...toControlAttributes(props)}
        type={shown ? "text" : "password"}
        // This is not a password of this site: the browser must not offer, save or spell-check it.
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        readOnly={readOnly}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      />
      <Button
        tone="quiet"
        iconOnly
        icon={shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        aria-pressed={shown}
        blocked={readOnly}
        onClick={() => setWanted(!wanted)}
      >
        {say("Show typed text")}
      </Button>
    </span>
  );
}
