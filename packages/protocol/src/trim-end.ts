/** Removes all of these letters from the end. Takes linear time, unlike `/x+$/`, which is quadratic for a long run elsewhere. */
export function trimEnd(text: string, letter: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === letter) end -= 1;
  return text.slice(0, end);
}
