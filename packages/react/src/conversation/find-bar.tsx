import type { SessionView } from "@holdpoint/client";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import { Button } from "../parts/button.tsx";
import { findItems } from "./find-text.ts";

export interface FindBarProps {
  readonly view: SessionView;
  /** The past that is not loaded yet. */
  readonly earlier: {
    readonly state: "ready" | "loading" | "failed";
    readonly load: () => void;
  };
  /** Brings an item into view and marks it; `undefined` marks none. */
  readonly onReveal: (key: string | undefined) => void;
  readonly onClose: () => void;
}

/**
 * Finds text in the whole conversation, also where it is not drawn or not loaded yet: then it loads the rest. Enter goes to
 * the next place, with Shift to the one before, Escape closes.
 */
export function FindBar({ view, earlier, onReveal, onClose }: FindBarProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const text = useDeferredValue(typed);
  const { items, interactions } = view;
  const found = useMemo(
    () => findItems({ items, interactions }, text),
    [items, interactions, text],
  );
  // The newest place first: that is where the person is.
  const current = chosen !== undefined && found.includes(chosen) ? chosen : found.at(-1);
  useLoadedPast(view.hasEarlier && text.trim() !== "", earlier);
  useRevealed(current, onReveal);
  const go = (step: 1 | -1): void => {
    const index = current === undefined ? 0 : found.indexOf(current);
    setChosen(found[(index + step + found.length) % found.length]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  const isBlocked = found.length === 0;
  return (
    <div className="hp-find" role="search">
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has opened it to type
        autoFocus
        type="text"
        aria-label="Find in this session"
        placeholder="Find in this session"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
      />
      <output className="hp-find-count">
        {toCountWords({ text, found, current, isMore: view.hasEarlier, state: earlier.state })}
      </output>
      {earlier.state === "failed" && view.hasEarlier && (
        <Button onClick={earlier.load}>Try again</Button>
      )}
      <Button tone="quiet" iconOnly blocked={isBlocked} icon={<ChevronUp />} onClick={() => go(-1)}>
        Previous place
      </Button>
      <Button
        tone="quiet"
        iconOnly
        blocked={isBlocked}
        icon={<ChevronDown />}
        onClick={() => go(1)}
      >
        Next place
      </Button>
      <Button tone="quiet" iconOnly icon={<X />} onClick={onClose}>
        Close the search
      </Button>
    </div>
  );
}

interface Counted {
  readonly text: string;
  readonly found: readonly string[];
  readonly current: string | undefined;
  /** Some of the past is not loaded. */
  readonly isMore: boolean;
  readonly state: FindBarProps["earlier"]["state"];
}

function toCountWords({ text, found, current, isMore, state }: Counted): string {
  if (text.trim() === "") return "";
  const place = current === undefined ? "" : `${found.indexOf(current) + 1} of ${found.length}`;
  if (!isMore) return place === "" ? "Not found" : place;
  const rest = state === "failed" ? "the rest could not be loaded" : "looking further back…";
  return place === "" ? toSentence(rest) : `${place}, ${rest}`;
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Loads one page of the past after the other. After a failure the next attempt is the person's. */
function useLoadedPast(wanted: boolean, { state, load }: FindBarProps["earlier"]): void {
  useEffect(() => {
    if (wanted && state === "ready") load();
  }, [wanted, state, load]);
}

/** Marks the place and goes there, once for each place. */
function useRevealed(current: string | undefined, onReveal: FindBarProps["onReveal"]): void {
  const reveal = useRef(onReveal);
  useEffect(() => {
    reveal.current = onReveal;
  });
  useEffect(() => reveal.current(current), [current]);
  useEffect(() => () => reveal.current(undefined), []);
}
