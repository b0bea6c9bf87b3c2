import { BriefText } from "@holdpoint/react";
import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useWords } from "../words/use-words.ts";
import { findEntries, type PaletteEntry } from "./palette-entries.ts";

import "../styles/palette.css";

interface PaletteProps {
  readonly entries: readonly PaletteEntry[];
  readonly onClose: () => void;
}

/** A field and what it finds, by keyboard alone: arrows choose, Enter goes there, Escape closes. */
export function Palette({ entries, onClose }: PaletteProps): ReactNode {
  const say = useWords();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = useMemo(() => findEntries(entries, typed), [entries, typed]);
  const id = useId();
  const current = Math.min(chosen, found.length - 1);
  const choose = (index: number): void => {
    const next = (index + found.length) % Math.max(found.length, 1);
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const act = toAct(event, {
      current,
      last: found.length - 1,
      choose,
      run: () => run(found[current]),
    });
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog title={say("Go to")} onClose={onClose} className="palette">
      <input
        className="palette-field"
        role="combobox"
        aria-label={say("Sessions, what waits for you, and actions")}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        placeholder={say("Sessions, what waits for you, and actions")}
        autoComplete="off"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has opened it to type
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Found {...{ id, found, current, run }} />
      <output className={found.length > 0 ? "hp-visually-hidden" : "quiet"}>
        {found.length > 0
          ? say("{count} found|{count} found", { count: found.length })
          : say("Nothing has these words.")}
      </output>
    </Dialog>
  );
}

interface FoundProps {
  readonly id: string;
  readonly found: readonly PaletteEntry[];
  readonly current: number;
  readonly run: (entry: PaletteEntry) => void;
}

function Found({ id, found, current, run }: FoundProps): ReactNode {
  const say = useWords();
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no element is a list that a field above it moves in
    <div id={`${id}-list`} className="palette-list" role="listbox" aria-label={say("Found")}>
      {found.map((entry, index) => (
        <Option
          key={entry.key}
          id={`${id}-${index}`}
          entry={entry}
          group={entry.group === found[index - 1]?.group ? undefined : say(entry.group)}
          selected={index === current}
          onPress={() => run(entry)}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  /** The heading above it, if it is the first of its group. */
  readonly group: string | undefined;
  readonly selected: boolean;
  readonly onPress: () => void;
}

function Option({ id, entry, group, selected, onPress }: OptionProps): ReactNode {
  const { name, detail } = entry;
  return (
    <>
      {group !== undefined && (
        <div role="presentation" className="rail-title">
          {group}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys */}
      <div
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
        role="option"
        aria-selected={selected}
        className="palette-option"
        onClick={onPress}
      >
        <span className="palette-name">
          <BriefText text={name} />
        </span>
        {detail !== undefined && (
          <span className="palette-detail">
            <BriefText text={detail} />
          </span>
        )}
      </div>
    </>
  );
}

function toAct(
  { key }: KeyboardEvent,
  list: {
    readonly current: number;
    readonly last: number;
    readonly choose: (index: number) => void;
    readonly run: () => void;
  },
): (() => void) | undefined {
  switch (key) {
    case "ArrowDown":
      return () => list.choose(list.current + 1);
    case "ArrowUp":
      return () => list.choose(list.current - 1);
    case "PageDown":
      return () => list.choose(Math.min(list.current + 10, list.last));
    case "PageUp":
      return () => list.choose(Math.max(list.current - 10, 0));
    case "Enter":
      return list.run;
    default:
      return undefined;
  }
}
