import {
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";

import { isComposing } from "../cards/shared/keyboard.ts";
import { useAnnounce } from "../parts/announcer.tsx";
import { focusedElement } from "../parts/focused-element.ts";
import { useWords } from "../words/use-words.ts";
import { AssistList } from "./assist-list.tsx";
import { findToken, replaceToken, toMention, type AssistToken } from "./assist-token.ts";
import { useAssistItems, type AssistItem, type AssistPlace } from "./use-assist-items.ts";

/** Handles a key of the field. Returns true if it was meant for the list. */
export type AssistKeys = (event: KeyboardEvent) => boolean;

export interface ComposerAssistProps {
  /** The session or agent that the message would go to. */
  readonly place: AssistPlace;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly ref: Ref<AssistKeys>;
}

/**
 * Suggests the agent's commands for a message that begins with `/`, and files for a word that begins with `@`. The
 * focus stays in the field, whose attributes name the active option.
 */
export function ComposerAssist(props: ComposerAssistProps): ReactNode {
  const { text, inputRef, ref } = props;
  const caret = useCaret(inputRef, text);
  const token = findToken(text, caret);
  const [closedAt, setClosedAt] = useState<string>();
  const at = token && `${token.kind} ${token.start}`;
  if (closedAt !== undefined && closedAt !== at) setClosedAt(undefined);
  const wanted = closedAt === undefined ? token : undefined;
  const items = useAssistItems(props.place, wanted);
  const [active, setActive] = useActive(items);
  const take = useTaking(props, wanted);
  const id = useId();
  useFieldWords(inputRef, { id, active, count: items.length });

  useImperativeHandle(ref, (): AssistKeys => (event) => {
    const item = items[active];
    const key = toListKey(event);
    if (item === undefined || key === undefined) return false;
    if (event.key === "Enter" && isWhole(text, item, wanted)) return false;
    if (key === "take") take(item);
    else if (key === "close") setClosedAt(at);
    else setActive((active + key + items.length) % items.length);
    event.preventDefault();
    event.stopPropagation();
    return true;
  });
  return (
    items.length > 0 &&
    wanted && <AssistList id={id} kind={wanted.kind} items={items} active={active} onTake={take} />
  );
}

type ListKey = "close" | "take" | 1 | -1;

/** The action of a key in the list; undefined if the key belongs to the field. */
function toListKey(event: KeyboardEvent): ListKey | undefined {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (isComposing(event)) return undefined;
  switch (event.key) {
    case "ArrowDown":
      return 1;
    case "ArrowUp":
      return -1;
    case "Enter":
    case "Tab":
      return "take";
    case "Escape":
      return "close";
    default:
      return undefined;
  }
}

/** Whether the whole message is this command already: then Enter sends it. */
function isWhole(text: string, { value }: AssistItem, token: AssistToken | undefined): boolean {
  return token?.kind === "command" && text === toMention("command", value);
}

/** The position of the caret, or the end of the selection. */
function useCaret(inputRef: RefObject<HTMLTextAreaElement | null>, text: string): number {
  const [caret, setCaret] = useState(text.length);
  useLayoutEffect(() => {
    const read = (): void => {
      const input = inputRef.current;
      if (input !== null && focusedElement() === input) setCaret(input.selectionEnd);
    };
    read();
    document.addEventListener("selectionchange", read);
    return () => document.removeEventListener("selectionchange", read);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the text moves the caret
  }, [inputRef, text]);
  return Math.min(caret, text.length);
}

/** The active item: the first one whenever the items change. */
function useActive(items: readonly AssistItem[]): [number, (index: number) => void] {
  const [chosen, setChosen] = useState({ items, index: 0 });
  const index = chosen.items === items ? chosen.index : 0;
  return [index, (next) => setChosen({ items, index: next })];
}

/** Replaces the token with an item, and puts the caret after it. */
function useTaking(
  { text, onText, inputRef }: ComposerAssistProps,
  token: AssistToken | undefined,
): (item: AssistItem) => void {
  const caretAfter = useRef<number>(undefined);
  useLayoutEffect(() => {
    const caret = caretAfter.current;
    if (caret === undefined) return;
    caretAfter.current = undefined;
    inputRef.current?.setSelectionRange(caret, caret);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once the field has the new text
  }, [inputRef, text]);
  return ({ value }) => {
    if (token === undefined) return;
    const { message, caret } = replaceToken(text, token, value);
    caretAfter.current = caret;
    onText(message);
    inputRef.current?.focus();
  };
}

interface FieldWords {
  readonly id: string;
  readonly active: number;
  readonly count: number;
}

/** Announces to assistive technology that the field has suggestions, and which one is active. */
function useFieldWords(
  inputRef: RefObject<HTMLTextAreaElement | null>,
  { id, active, count }: FieldWords,
): void {
  const say = useWords();
  const announce = useAnnounce();
  useEffect(() => {
    if (count > 0) announce(say("{count} suggestion|{count} suggestions", { count }));
  }, [announce, say, count]);
  useEffect(() => {
    const input = inputRef.current;
    if (input === null || count === 0) return undefined;
    const attributes = {
      "aria-autocomplete": "list",
      "aria-controls": id,
      "aria-activedescendant": `${id}-${active}`,
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) input.removeAttribute(name);
    };
  }, [inputRef, id, active, count]);
}
