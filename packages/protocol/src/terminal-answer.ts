/** What a terminal was told about a call that it asked about. */
export type TerminalAnswer = "allow" | "deny";

const ANSWERS: readonly TerminalAnswer[] = ["allow", "deny"];

/** What the log keeps as the result of such a call. What became of the call is known in the terminal alone. */
export function toTerminalResult(answer: TerminalAnswer): { readonly toTerminal: TerminalAnswer } {
  return { toTerminal: answer };
}

/** The answer of which the result of a call says that a terminal has it; `undefined` for every other result. */
export function readTerminalResult(content: string): TerminalAnswer | undefined {
  return ANSWERS.find((answer) => content === JSON.stringify(toTerminalResult(answer)));
}
