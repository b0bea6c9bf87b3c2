import { Autocomplete } from "@base-ui/react/autocomplete";
import { BriefText } from "@holdpoint/react";
import { useMemo, useState, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useWords } from "../words/use-words.ts";
import { findEntries, toGroups, type PaletteEntry } from "./palette-entries.ts";

import "../styles/palette.css";

interface PaletteProps {
  readonly entries: readonly PaletteEntry[];
  /** Called with the typed text, for entries found elsewhere. */
  readonly onTyped?: (typed: string) => void;
  readonly onClose: () => void;
}

/** A search field and its results, usable by keyboard alone: arrows select, Enter opens, Escape closes. */
export function Palette({ entries, onTyped, onClose }: PaletteProps): ReactNode {
  const say = useWords();
  const [typed, setTyped] = useState("");
  const found = useMemo(() => findEntries(entries, typed), [entries, typed]);
  const groups = useMemo(() => toGroups(found), [found]);
  const type = (value: string): void => {
    setTyped(value);
    onTyped?.(value);
  };
  const run = (entry: PaletteEntry): void => {
    onClose();
    entry.run();
  };
  return (
    <Dialog title={say("Go to")} onClose={onClose} className="palette">
      <Autocomplete.Root
        inline
        open
        items={groups}
        // Results are already filtered and sorted by `findEntries`.
        filter={null}
        mode="none"
        autoHighlight="always"
        // A resting pointer must not select an entry that appears under it.
        highlightItemOnHover={false}
        itemToStringValue={({ name }: PaletteEntry) => name}
        value={typed}
        onValueChange={(value, { reason }) => reason === "input-change" && type(value)}
      >
        <Autocomplete.Input
          className="palette-field"
          aria-label={say("Sessions, pending requests and actions")}
          placeholder={say("Sessions, pending requests and actions")}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has opened it to type
          autoFocus
        />
        <Autocomplete.List className="palette-list" aria-label={say("Found")}>
          {({ value, items }: (typeof groups)[number]) => (
            <Autocomplete.Group key={value} items={items}>
              <Autocomplete.GroupLabel className="rail-title">{say(value)}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(entry: PaletteEntry) => (
                  <Option key={entry.key} entry={entry} onPress={() => run(entry)} />
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Autocomplete.Status
          className={found.length > 0 ? "hp-visually-hidden" : "quiet"}
          render={<output />}
        >
          {found.length > 0
            ? say("{count} found|{count} found", { count: found.length })
            : say("No results")}
        </Autocomplete.Status>
      </Autocomplete.Root>
    </Dialog>
  );
}

interface OptionProps {
  readonly entry: PaletteEntry;
  readonly onPress: () => void;
}

function Option({ entry, onPress }: OptionProps): ReactNode {
  const { name, detail } = entry;
  return (
    <Autocomplete.Item value={entry} className="palette-option" onClick={onPress}>
      <span className="palette-name">
        <BriefText text={name} />
      </span>
      {detail !== undefined && (
        <span className="palette-detail">
          <BriefText text={detail} />
        </span>
      )}
    </Autocomplete.Item>
  );
}
