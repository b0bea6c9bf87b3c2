import type { AgentInfo } from "@holdpoint/protocol";
import { useId, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly children: (props: {
    readonly id: string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": boolean;
  }) => ReactNode;
}

/** A labelled control with its help, or its error. */
export function Field({ label, help, error, children }: FieldProps): ReactNode {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": noteId, "aria-invalid": error !== undefined })}
      <p id={noteId} className={error === undefined ? "field-help" : "field-error"}>
        {error ?? help}
      </p>
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

/** A field for a technical name: no spell-checking, no capitalization, monospace. */
export function TextField({ value, placeholder, onChange, ...field }: TextFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(props) => (
        <input
          {...props}
          className="mono"
          value={value}
          placeholder={placeholder}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps<TValue extends string> extends Omit<FieldProps, "children"> {
  readonly value: TValue;
  readonly options: readonly { readonly value: TValue; readonly label: string }[];
  readonly onChange: (value: TValue) => void;
}

/** A field with a few choices. */
export function SelectField<TValue extends string>({
  value,
  options,
  onChange,
  ...field
}: SelectFieldProps<TValue>): ReactNode {
  const choose = (chosen: string): void => {
    const found = options.find((option) => option.value === chosen);
    if (found) onChange(found.value);
  };
  return (
    <Field {...field}>
      {(props) => (
        <select {...props} value={value} onChange={(event) => choose(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ModeFieldProps {
  readonly agent: AgentInfo;
  readonly mode: string;
  readonly error: string | undefined;
  readonly onChange: (mode: string) => void;
}

/** The permission modes of an agent, with the description of the chosen one. */
export function ModeField({ agent, mode, error, onChange }: ModeFieldProps): ReactNode {
  const say = useWords();
  const help = agent.permissionModes.find((info) => info.mode === mode)?.description;
  const options = agent.permissionModes.map(({ mode: value, label }) => ({
    value,
    label: say.translate(label),
  }));
  return (
    <SelectField
      label={say("Permission mode")}
      help={help && say.translate(help)}
      error={error}
      value={mode}
      options={options}
      onChange={onChange}
    />
  );
}
