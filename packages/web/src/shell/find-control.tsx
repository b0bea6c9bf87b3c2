import { Button, type ConversationHandle } from "@holdpoint/react";
import { Search } from "lucide-react";
import { useEffect, type ReactNode, type RefObject } from "react";

import { useWords } from "../words/use-words.ts";

interface FindControlProps {
  readonly conversation: RefObject<ConversationHandle | null>;
}

/**
 * Opens the search in the conversation, also with Ctrl+F or ⌘F: the browser's own search only finds rows that are
 * drawn. Pressed a second time, the keys open the browser's search.
 */
export function FindControl({ conversation }: FindControlProps): ReactNode {
  const say = useWords();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const isKey = key.toLowerCase() === "f" && ctrlKey !== metaKey && !altKey && !shiftKey;
      if (!isKey || document.querySelector("dialog[open], [role=menu]") !== null) return;
      if (target instanceof Element && target.closest("[role=search]") !== null) return;
      event.preventDefault();
      conversation.current?.find();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [conversation]);
  return (
    <Button
      tone="quiet"
      iconOnly
      title={say("Find in this session (Ctrl+F)")}
      icon={<Search aria-hidden />}
      onClick={() => conversation.current?.find()}
    >
      {say("Find in this session")}
    </Button>
  );
}
