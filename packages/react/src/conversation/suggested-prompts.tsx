import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

interface SuggestedPromptsProps {
  readonly prompts: readonly string[];
  readonly blocked: boolean;
  readonly onPick: (prompt: string) => void;
}

/** Suggestions for the first message of a session. A press sends one. */
export function SuggestedPrompts({ prompts, blocked, onPick }: SuggestedPromptsProps): ReactNode {
  const say = useWords();
  return (
    <ul className="hp-prompts">
      {prompts
        .map((prompt) => say.translate(prompt))
        .map((prompt) => (
          <li key={prompt}>
            <button
              type="button"
              className="hp-prompt"
              aria-disabled={blocked || undefined}
              onClick={() => {
                if (!blocked) onPick(prompt);
              }}
            >
              <span>{prompt}</span>
              <ArrowUpRight aria-hidden />
            </button>
          </li>
        ))}
    </ul>
  );
}
