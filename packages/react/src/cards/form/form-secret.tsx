import { Eye, EyeOff } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { toControlAttributes, type FormControlProps } from "./form-control-attributes.ts";

/** Masked unless the person wants to see it, and hidden again while it is sent. */
export function FormSecret(props: FormControlProps): ReactNode {
  const { readOnly, onChange } = props;
  const [wanted, setWanted] = useState(false);
  const shown = wanted && !readOnly;
  return (
    <span className="hp-secret">
      <input
        {...toControlAttributes(props)}
        type={shown ? "text" : "password"}
        // Not a password of this site: nothing to offer, to save or to spell.
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
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
        Show what was typed
      </Button>
    </span>
  );
}
