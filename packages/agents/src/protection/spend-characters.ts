/** Takes a number of characters from what a reading may still use. Throws `TooManyCharacters` when that is exceeded. */
export type Spend = (count: number) => void;

/** A command that would expand into more text than is read. */
export class TooManyCharacters extends Error {
  override readonly name = "TooManyCharacters";
}

/** Allows so many characters in all. */
export function createBudget(characters: number): Spend {
  let left = characters;
  return (count) => {
    left -= count;
    if (left < 0) throw new TooManyCharacters("The command expands into too much text.");
  };
}
