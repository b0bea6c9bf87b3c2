/** Deducts characters from a budget. Throws `TooManyCharacters` when the budget is exceeded. */
export type Spend = (count: number) => void;

/** A command that would expand into more text than the budget allows. */
export class TooManyCharacters extends Error {
  override readonly name = "TooManyCharacters";
}

export function createBudget(characters: number): Spend {
  let left = characters;
  return (count) => {
    left -= count;
    if (left < 0) throw new TooManyCharacters("The command expands into too much text.");
  };
}
