/** "1 line", "2,000 lines". */
export function countWords(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}
