import { useEffect, useRef, type ReactNode } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import { useWords } from "../words/use-words.ts";
import { toMention, type AssistToken } from "./assist-token.ts";
import type { AssistItem } from "./use-assist-items.ts";

interface AssistListProps {
  readonly id: string;
  readonly kind: AssistToken["kind"];
  readonly items: readonly AssistItem[];
  readonly active: number;
  readonly onTake: (item: AssistItem) => void;
}

/** The list of suggestions above the field. Pressing an option takes it, and leaves the focus in the field. */
export function AssistList({ id, kind, items, active, onTake }: AssistListProps): ReactNode {
  const say = useWords();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      className="hp-assist"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no element is a list that a field below it moves in
      role="listbox"
      // A scrollable area must be reachable by keyboard.
      tabIndex={0}
      aria-label={kind === "command" ? say("Commands of the agent") : say("Files")}
    >
      {items.map((item, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the keys and the focus
        <div
          key={item.value}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
        >
          <span className="hp-assist-value">
            <VisibleText text={kind === "command" ? toMention(kind, item.value) : item.value} />
            {item.hint !== undefined && (
              <span className="hp-assist-hint">
                {" "}
                <VisibleText text={item.hint} />
              </span>
            )}
          </span>
          {item.description !== undefined && (
            <span className="hp-assist-description">
              <VisibleText text={item.description} />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
