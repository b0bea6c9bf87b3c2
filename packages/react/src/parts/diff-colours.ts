import type { CodeToken } from "./code-highlighter.ts";
import type { DiffRow } from "./diff-rows.ts";
import { isPlain } from "./highlighted-code.tsx";

/** The tokens of each line of a text. */
export type TokenLines = readonly (readonly CodeToken[])[];

/** The tokens of both sides of a change, if known. */
export interface DiffColours {
  readonly before: TokenLines | undefined;
  readonly after: TokenLines | undefined;
}

/** A stretch of a line in one colour. A changed one has the colour of the change. */
export interface ColouredPiece extends CodeToken {
  readonly changed: boolean;
}

/** The most coloured pieces on a page of a change, since each is an element. */
const MAX_COLOURS = 1500;

export function toTokenLines(tokens: readonly CodeToken[] | undefined): TokenLines | undefined {
  if (tokens === undefined) return undefined;
  const lines: CodeToken[][] = [[]];
  for (const { text, kind } of tokens) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, kind });
    }
  }
  return lines;
}

/**
 * The rows of a page with their coloured pieces. Leaves out rows with characters that hide or mislead, and rows whose
 * tokens do not match their text: they are drawn without colours.
 */
export function colourRows(
  rows: readonly DiffRow[],
  { before, after }: DiffColours,
): ReadonlyMap<DiffRow, readonly ColouredPiece[]> {
  const coloured = new Map<DiffRow, readonly ColouredPiece[]>();
  let left = MAX_COLOURS;
  for (const row of rows) {
    if (!("pieces" in row) || row.continued !== undefined) continue;
    const pieces = colourPieces(row.pieces, tokensOf(row, { before, after }));
    if (pieces === undefined) continue;
    left -= pieces.length;
    if (left < 0) break;
    coloured.set(row, pieces);
  }
  return coloured;
}

type LineRow = DiffRow & { readonly type: "same" | "added" | "removed" };

function tokensOf({ type, oldLine = 0, newLine = 0 }: LineRow, { before, after }: DiffColours) {
  return type === "removed" ? before?.[oldLine - 1] : after?.[newLine - 1];
}

function colourPieces(
  pieces: LineRow["pieces"],
  tokens: readonly CodeToken[] | undefined,
): readonly ColouredPiece[] | undefined {
  if (tokens === undefined) return undefined;
  const text = pieces.map((piece) => piece.text).join("");
  if (tokens.map((token) => token.text).join("") !== text || !isPlain(text)) return undefined;
  let from = 0;
  return pieces.flatMap((piece): readonly ColouredPiece[] => {
    const until = from + piece.text.length;
    const place = { from, until };
    from = until;
    return piece.changed ? [piece] : cutTokens(tokens, place);
  });
}

/** The part of a line's tokens between two positions. */
function cutTokens(
  tokens: readonly CodeToken[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly ColouredPiece[] {
  let end = 0;
  return tokens.flatMap(({ text, kind }) => {
    const start = end;
    end += text.length;
    const part = text.slice(Math.max(0, from - start), Math.max(0, until - start));
    return part === "" ? [] : [{ text: part, kind, changed: false }];
  });
}
