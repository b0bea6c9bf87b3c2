import { ChevronDown, ChevronUp, X } from "lucide-react";
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import { isComposing } from "../cards/shared/keyboard.ts";
import { Button } from "../parts/button.tsx";
import { useWords, type Say } from "../words/use-words.ts";
import { findItems } from "./find-text.ts";
import { useReveal, type RevealOptions } from "./use-reveal.ts";

interface FindBarProps extends RevealOptions {
  /** The part of the past that is not loaded yet. */
  readonly earlier: {
    readonly state: "ready" | "loading" | "failed";
    readonly load: () => void;
  };
  readonly onClose: () => void;
}

/**
 * Finds text in the whole conversation, including parts that are not drawn or not loaded; loads the missing parts.
 * Enter moves to the next match, Shift+Enter to the previous one, Escape closes.
 */
export function FindBar(props: FindBarProps): ReactNode {
  const { view, earlier, onClose } = props;
  const say = useWords();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const text = useDeferredValue(typed);
  const found = useFound(view, text);
  // Starts with the newest match, which is nearest to the person's position.
  const current = chosen !== undefined && found.includes(chosen) ? chosen : found.at(-1);
  useLoadedPast(view.hasEarlier && text.trim() !== "", earlier);
  useReveal(current, props);
  const amount = found.length;
  const go = (step: 1 | -1): void => {
    const index = current === undefined ? 0 : found.indexOf(current);
    setChosen(found[(index + step + amount) % amount]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <search className="hp-find">
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has opened it to type
        autoFocus
        type="text"
        aria-label={say("Find in this session")}
        placeholder={say("Find in this session")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
      />
      <output className="hp-find-count">
        {toCountWords(say, { text, found, current, isMore: view.hasEarlier, state: earlier.state })}
      </output>
      {earlier.state === "failed" && view.hasEarlier && (
        <Button onClick={earlier.load}>{say("Try again")}</Button>
      )}
      <FindMoves isBlocked={amount === 0} onGo={go} onClose={onClose} />
    </search>
  );
}

interface FindMovesProps {
  readonly isBlocked: boolean;
  readonly onGo: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

function FindMoves({ isBlocked, onGo, onClose }: FindMovesProps): ReactNode {
  const say = useWords();
  return (
    <>
      <Button
        tone="quiet"
        iconOnly
        blocked={isBlocked}
        icon={<ChevronUp />}
        onClick={() => onGo(-1)}
      >
        {say("Previous match")}
      </Button>
      <Button
        tone="quiet"
        iconOnly
        blocked={isBlocked}
        icon={<ChevronDown />}
        onClick={() => onGo(1)}
      >
        {say("Next match")}
      </Button>
      <Button tone="quiet" iconOnly icon={<X />} onClick={onClose}>
        {say("Close the search")}
      </Button>
    </>
  );
}

function useFound({ items, interactions }: RevealOptions["view"], text: string): string[] {
  return useMemo(() => findItems({ items, interactions }, text), [items, interactions, text]);
}

interface Counted {
  readonly text: string;
  readonly found: readonly string[];
  readonly current: string | undefined;
  /** Some of the past is not loaded. */
  readonly isMore: boolean;
  readonly state: FindBarProps["earlier"]["state"];
}

function toCountWords(say: Say, { text, found, current, isMore, state }: Counted): string {
  if (text.trim() === "") return "";
  const amount = found.length;
  if (current === undefined) {
    if (!isMore) return say("Not found");
    return say(state === "failed" ? "The rest could not be loaded" : "Searching earlier messages…");
  }
  const place = { n: found.indexOf(current) + 1, amount };
  if (!isMore) return say("{n} of {amount}", place);
  return state === "failed"
    ? say("{n} of {amount}, the rest could not be loaded", place)
    : say("{n} of {amount}, searching earlier messages…", place);
}

/** Loads one page of the past after another. After a failure, only the person can retry. */
function useLoadedPast(wanted: boolean, { state, load }: FindBarProps["earlier"]): void {
  useEffect(() => {
    if (wanted && state === "ready") load();
  }, [wanted, state, load]);
}
