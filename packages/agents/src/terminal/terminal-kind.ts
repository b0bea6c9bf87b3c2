/** The agent that runs in a terminal. */
export type TerminalKind = "claude" | "codex";

interface Terminal {
  /** The agent's identifier. */
  readonly agent: string;
  readonly label: string;
  /** The hook runs before the terminal's own prompt, not in parallel, and accepts only a plain yes or no. */
  readonly holdsPrompt: boolean;
}

export const TERMINALS: Readonly<Record<TerminalKind, Terminal>> = {
  claude: { agent: "terminal", label: "Claude Code (terminal)", holdsPrompt: false },
  codex: { agent: "terminal-codex", label: "Codex (terminal)", holdsPrompt: true },
};

export function isTerminalKind(word: string): word is TerminalKind {
  return Object.hasOwn(TERMINALS, word);
}
