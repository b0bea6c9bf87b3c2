import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";

interface SuggestedPromptsProps {
  readonly prompts: readonly string[];
  readonly blocked: boolean;
  readonly onPick: (prompt: string) => void;
}

/** What one could say first. */
export function SuggestedPrompts({ prompts, blocked, onPick }: SuggestedPromptsProps): ReactNode {
  return (
    <ul className="hp-prompts">
      {prompts.map((prompt) => (
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
