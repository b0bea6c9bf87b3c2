import { countWords, findMarks, type Mark, type Passage } from "./dialect.ts";

/** Marks in 10,000 words. Widely used packages have 1 to 14. */
const LIMIT = 20;

/** Prose that is judged together, such as a document or the comments of a package. */
export interface Subject {
  readonly name: string;
  readonly passages: readonly Passage[];
}

export interface Judgement {
  readonly name: string;
  readonly words: number;
  readonly marks: readonly Mark[];
  /** Marks in 10,000 words. */
  readonly rate: number;
  readonly isPlain: boolean;
}

/** Counts the marks of a subject. A single one is plain in a text of any length. */
export function judgeProse({ name, passages }: Subject): Judgement {
  const words = countWords(passages);
  const marks = findMarks(passages);
  const rate = words === 0 ? 0 : (marks.length / words) * 10_000;
  return { name, words, marks, rate, isPlain: marks.length <= 1 || rate <= LIMIT };
}
