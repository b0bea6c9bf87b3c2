import { Maximize2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { Modal } from "../../parts/modal.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { toControlAttributes, type FormControlProps } from "./form-control-attributes.ts";

/** A multi-line text field that can be enlarged to the whole screen. */
export function FormLongText(props: FormControlProps): ReactNode {
  const say = useWords();
  const { readOnly, onChange } = props;
  const [large, setLarge] = useState(false);
  return (
    <span className="hp-long-field">
      <textarea
        {...toControlAttributes(props)}
        rows={3}
        readOnly={readOnly}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        // The browser scrolls only the caret into view, and leaves the rest of the field behind the card's actions.
        onFocus={({ currentTarget }) => {
          requestAnimationFrame(() => currentTarget.scrollIntoView({ block: "nearest" }));
        }}
      />
      <Button
        tone="quiet"
        className="hp-enlarge"
        icon={<Maximize2 aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setLarge(true)}
      >
        {say("Expand")}
      </Button>
      {large && <LargeText {...props} onClose={() => setLarge(false)} />}
    </span>
  );
}

/** The same text, large. Closing it, in any way, keeps the text. */
function LargeText({
  onClose,
  ...props
}: FormControlProps & { readonly onClose: () => void }): ReactNode {
  const say = useWords();
  const { field, input, readOnly, onChange } = props;
  const titleId = useId();
  return (
    <Modal
      className="hp-large-text"
      labelledBy={titleId}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="hp-large-text-content">
        <h2 id={titleId}>
          <VisibleText text={field.title} short />
        </h2>
        <textarea
          className="hp-input"
          aria-labelledby={titleId}
          value={typeof input === "string" ? input : ""}
          readOnly={readOnly}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        />
        <div className="hp-actions">
          <span className="hp-actions-space" />
          <Button tone="primary" className="hp-advance" onClick={onClose}>
            {say("Done")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
