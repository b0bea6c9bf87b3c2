import type { HistoryFilter, HistoryNames } from "@holdpoint/protocol";
import { Button, toVisibleString, useTransport } from "@holdpoint/react";
import { SlidersHorizontal } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { useWords, type Words } from "../words/use-words.ts";
import { endOfDay, startOfDay, toDay } from "./days.ts";
import { ACTIONS } from "./filter-address.ts";
import type { UseFilter } from "./use-filter.ts";

const ACTION_WORDS = {
  approve: "Allowed",
  deny: "Denied or declined",
  submit: "Answered",
  cancel: "Skipped",
} as const satisfies Record<(typeof ACTIONS)[number], Words>;

interface HistoryFiltersProps extends Pick<UseFilter, "filter" | "change"> {
  /** Returns the display name of an agent. */
  readonly agentName: (agent: string) => string;
  /** Actions on all matching entries. */
  readonly children: ReactNode;
}

/** The filters in addition to the search text. On a narrow screen, a button opens them. */
export function HistoryFilters(props: HistoryFiltersProps): ReactNode {
  const { filter, change, agentName, children } = props;
  const say = useWords();
  const names = useNames();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { words: _, ...narrowing } = filter;
  const count = Object.keys(narrowing).length;
  // Successive values of one control, as when choosing with arrow keys, are one step in the browser's history.
  const changing = useRef<string>(undefined);
  const set = (part: HistoryFilter): void => {
    const step = (): string => `${Object.keys(part).join()}${location.search}`;
    change({ ...filter, ...part }, { replace: changing.current === step() });
    changing.current = step();
  };
  const choice = { onChange: set, filter };
  return (
    <div className="history-filters">
      <Button
        className="history-fold"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={<SlidersHorizontal aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? say("Filters") : say("Filters ({n})", { n: count })}
      </Button>
      <fieldset id={id} className="history-fields" data-open={isOpen || undefined}>
        <legend className="hp-visually-hidden">{say("Filters")}</legend>
        <Choice {...choice} part="person" label="Person" values={names?.people} />
        <Choice {...choice} part="agent" label="Agent" values={names?.agents} nameOf={agentName} />
        <Choice {...choice} part="tool" label="Tool" values={names?.tools} />
        <Choice
          {...choice}
          part="action"
          label="Answer"
          values={ACTIONS}
          nameOf={(action) => say(ACTION_WORDS[action])}
        />
        <Day
          label="From"
          instant={filter.from}
          onChange={(day) => set({ from: startOfDay(day) })}
        />
        <Day
          label="Until"
          instant={filter.until}
          onChange={(day) => set({ until: endOfDay(day) })}
        />
        <div className="history-filter-ends">{children}</div>
      </fieldset>
    </div>
  );
}

interface ChoiceProps<TName extends keyof HistoryFilter> {
  readonly part: TName;
  readonly label: Words;
  readonly filter: HistoryFilter;
  /** Absent until loaded. */
  readonly values: readonly NonNullable<HistoryFilter[TName]>[] | undefined;
  readonly nameOf?: (value: NonNullable<HistoryFilter[TName]>) => string;
  readonly onChange: (part: HistoryFilter) => void;
}

function Choice<TName extends "person" | "agent" | "tool" | "action">({
  part,
  label,
  filter,
  values = [],
  nameOf = toVisibleString,
  onChange,
}: ChoiceProps<TName>): ReactNode {
  const say = useWords();
  const id = useId();
  const chosen = filter[part];
  // The value in the address may not occur among the newest answers.
  const all = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
  return (
    <div className="field history-field">
      <label htmlFor={id}>{say(label)}</label>
      <select
        id={id}
        value={chosen ?? ""}
        onChange={({ target }) => onChange({ [part]: target.value || undefined })}
      >
        <option value="">{say("All")}</option>
        {all.map((value) => (
          <option key={value} value={value}>
            {nameOf(value)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface DayProps {
  readonly label: Words;
  readonly instant: string | undefined;
  readonly onChange: (day: string) => void;
}

/** A day by the person's own clock. The filter does not change until the typed year is complete. */
function Day({ label, instant, onChange }: DayProps): ReactNode {
  const say = useWords();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const day = instant === undefined ? "" : toDay(instant);
  useEffect(() => {
    if (field.current && field.current.value !== day) field.current.value = day;
  }, [day]);
  const change = (typed: string): void => {
    if (typed === day || (typed !== "" && startOfDay(typed) === undefined)) return;
    onChange(typed);
  };
  return (
    <div className="field history-field">
      <label htmlFor={id}>{say(label)}</label>
      <input
        ref={field}
        id={id}
        type="date"
        defaultValue={day}
        onChange={({ target }) => change(target.value)}
      />
    </div>
  );
}

/** The people, agents and tools to choose from. If they cannot be loaded, the address still works. */
function useNames(): HistoryNames | undefined {
  const transport = useTransport();
  const [names, setNames] = useState<HistoryNames>();
  useEffect(() => {
    const aborted = new AbortController();
    transport.listHistoryNames({ signal: aborted.signal }).then(setNames, () => undefined);
    return () => aborted.abort();
  }, [transport]);
  return names;
}
