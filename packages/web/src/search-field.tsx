import { Search } from "lucide-react";
import type { ReactNode } from "react";

import { useWords, type Words } from "./words/use-words.ts";

const MAX_WORDS_LENGTH = 200;

interface SearchFieldProps {
  readonly label: Words;
  readonly placeholder: Words;
  readonly value: string;
  readonly onChange: (words: string) => void;
}

/** The search field of a list that the gateway searches. */
export function SearchField(props: SearchFieldProps): ReactNode {
  const { label, placeholder, value, onChange } = props;
  const say = useWords();
  return (
    <label className="history-search">
      <Search aria-hidden />
      <span className="hp-visually-hidden">{say(label)}</span>
      <input
        type="search"
        value={value}
        maxLength={MAX_WORDS_LENGTH}
        placeholder={say(placeholder)}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
