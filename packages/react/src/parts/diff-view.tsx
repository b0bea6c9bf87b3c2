import { ChevronsUpDown, FilePen } from "lucide-react";
import { memo, useCallback, useMemo, useRef, useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { CopyButton } from "./copy-button.tsx";
import { colourRows, toTokenLines, type ColouredPiece, type DiffColours } from "./diff-colours.ts";
import { cutLongRows, findPageEnds } from "./diff-pages.ts";
import { toDiffRows, toLines, type DiffRow } from "./diff-rows.ts";
import { Fold } from "./fold.tsx";
import { CodeTokenText } from "./highlighted-code.tsx";
import { useInView } from "./in-view.tsx";
import { PathText } from "./path-text.tsx";
import { useUnshown } from "./unshown.tsx";
import { useCodeTokens } from "./use-code-tokens.ts";
import { toVisibleString } from "./visible-string.ts";
import { ShortText } from "./visible-text.tsx";

export interface DiffProps {
  /** Absent: the text is new. */
  readonly before?: string;
  readonly after: string;
  /** The changed object, such as a path. */
  readonly caption: string;
  /** If given, a long change is folded until it is opened. */
  readonly fold?: { readonly opened: boolean; readonly onOpen: () => void };
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;
const SPOKEN = { same: undefined, added: "added:", removed: "removed:" } as const;

/** The most rows of a diff, and characters in them, that are not folded. */
const MAX_UNFOLDED_ROWS = 30;
const MAX_UNFOLDED_LENGTH = 4000;

/**
 * A unified diff with line numbers. Shows all changes; unchanged lines can be opened, and a long change has a button to
 * show more.
 */
export function DiffView({ before, after, caption, fold }: DiffProps): ReactNode {
  const say = useWords();
  const { rows, added, removed } = useMemo(() => readDiff(before ?? "", after), [before, after]);
  const amount = useMemo(
    () =>
      isLong(rows)
        ? say("{count} changed line|{count} changed lines", { count: added + removed })
        : undefined,
    [rows, added, removed, say],
  );
  const isFolded = fold !== undefined && !fold.opened && amount !== undefined;
  useUnshown(isFolded ? say("Open all {amount} to allow", { amount }) : undefined);
  const element = useRef<HTMLElement>(null);
  useInView(element);
  const colours = useColours({ before, after, caption });
  const figure = (
    <figure
      ref={element}
      className="hp-diff"
      aria-label={say("Changes to {path}", { path: toVisibleString(caption, "exact") })}
    >
      <figcaption className="hp-diff-caption">
        <FilePen aria-hidden />
        <PathText path={caption} />
        <span className="hp-diff-facts">
          {before === undefined && <span className="hp-diff-new">{say("new file")}</span>}
          <span className="hp-diff-count">
            <span className="hp-diff-plus">+{added}</span>{" "}
            <span className="hp-diff-minus">−{removed}</span>
          </span>
          <CopyButton text={after} label={say("Copy the new text")} />
        </span>
      </figcaption>
      {rows.length === 0 && <p className="hp-diff-empty">{say("No changes.")}</p>}
      <DiffRows rows={rows} after={after} colours={colours} />
    </figure>
  );
  if (fold === undefined || amount === undefined) return figure;
  return (
    <Fold amount={amount} opened={fold.opened} onOpen={fold.onOpen}>
      {figure}
    </Fold>
  );
}

/** The colours of both sides, for the language of the path's extension. */
function useColours({
  before,
  after,
  caption,
}: {
  readonly before: string | undefined;
  readonly after: string;
  readonly caption: string;
}): DiffColours {
  const language = /\.(\w+)$/u.exec(caption)?.[1];
  const old = useCodeTokens(before, language);
  const next = useCodeTokens(after, language);
  return useMemo(() => ({ before: toTokenLines(old), after: toTokenLines(next) }), [old, next]);
}

function readDiff(before: string, after: string): ReturnType<typeof toDiffRows> {
  const diff = toDiffRows(before, after);
  return { ...diff, rows: cutLongRows(diff.rows) };
}

/** Whether a diff is long. A few very long lines can hide as much as many short ones. */
function isLong(rows: readonly DiffRow[]): boolean {
  let length = 0;
  for (const row of rows) {
    if ("pieces" in row) for (const { text } of row.pieces) length += text.length;
  }
  return rows.length > MAX_UNFOLDED_ROWS || length > MAX_UNFOLDED_LENGTH;
}

interface DiffRowsProps {
  readonly rows: readonly DiffRow[];
  readonly after: string;
  readonly colours: DiffColours;
}

/** The rows, page by page. */
function DiffRows({ rows, after, colours }: DiffRowsProps): ReactNode {
  const say = useWords();
  const lines = useMemo(() => toLines(after), [after]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [pages, setPages] = useState(1);
  const open = useCallback((from: number) => setOpened((last) => new Set(last).add(from)), []);
  const ends = useMemo(() => findPageEnds(rows, pages), [rows, pages]);
  const left = rows.length - (ends.at(-1) ?? 0);
  useUnshown(left > 0 ? say("Show the rest of it first") : undefined);
  return (
    <div className="hp-diff-rows">
      {ends.map((end, page) => (
        <DiffPage
          key={end}
          {...{ rows, lines, opened, colours }}
          from={ends[page - 1] ?? 0}
          end={end}
          onOpen={open}
        />
      ))}
      {left > 0 && (
        <button type="button" className="hp-more" onClick={() => setPages(pages + 1)}>
          {say("Show more of {count} further line|Show more of {count} further lines", {
            count: left,
          })}
        </button>
      )}
    </div>
  );
}

interface DiffPageProps {
  readonly rows: readonly DiffRow[];
  readonly from: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly opened: ReadonlySet<number>;
  readonly colours: DiffColours;
  readonly onOpen: (from: number) => void;
}

const DiffPage = memo(function DiffPage(props: DiffPageProps): ReactNode {
  const { rows, from, end, lines, opened, colours, onOpen } = props;
  const shown = rows
    .slice(from, end)
    .flatMap((row) => (row.type === "gap" ? openGaps(row, lines, opened) : [row]));
  const coloured = colourRows(shown, colours);
  return shown.map((row, index) => (
    <Row key={keyOf(row, index)} row={row} coloured={coloured.get(row)} onOpen={onOpen} />
  ));
});

/** The key of a row. A note has no line number, so its key is its index. */
function keyOf(row: DiffRow, index: number): string {
  if (row.type === "gap") return `gap ${row.from}`;
  if (row.type === "note" || row.continued !== undefined) return `piece ${index}`;
  return `${row.type} ${row.oldLine ?? ""} ${row.newLine ?? ""}`;
}

/** How many unchanged lines are opened at a time. */
const MAX_OPENED = 200;

/** The rows of a gap: its opened lines, and the gap that is left. */
function openGaps(
  gap: DiffRow & { readonly type: "gap" },
  lines: readonly string[],
  opened: ReadonlySet<number>,
): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let { from, oldFrom, count } = gap;
  while (count > 0 && opened.has(from)) {
    const size = Math.min(count, MAX_OPENED);
    for (let index = 0; index < size; index += 1) {
      const pieces = [{ text: lines[from - 1 + index] ?? "", changed: false }];
      rows.push({ type: "same", oldLine: oldFrom + index, newLine: from + index, pieces });
    }
    from += size;
    oldFrom += size;
    count -= size;
  }
  if (count > 0) rows.push({ type: "gap", from, oldFrom, count });
  return cutLongRows(rows);
}

function Row({
  row,
  coloured,
  onOpen,
}: {
  readonly row: DiffRow;
  /** The row's text in colours, if known. */
  readonly coloured: readonly ColouredPiece[] | undefined;
  readonly onOpen: (from: number) => void;
}): ReactNode {
  const say = useWords();
  if (row.type === "gap") {
    return (
      <button type="button" className="hp-diff-gap" onClick={() => onOpen(row.from)}>
        <ChevronsUpDown aria-hidden />
        {say("{count} unchanged line|{count} unchanged lines", { count: row.count })}
      </button>
    );
  }
  if (row.type === "note") return <div className="hp-diff-note">{say(row.text)}</div>;
  const spoken = SPOKEN[row.type];
  return (
    <div className={`hp-diff-row hp-diff-${row.type}`}>
      <span className="hp-diff-number" aria-hidden="true" data-line={row.oldLine ?? ""} />
      <span className="hp-diff-number" aria-hidden="true" data-line={row.newLine ?? ""} />
      <span className="hp-diff-sign" aria-hidden="true" data-sign={SIGNS[row.type]} />
      <span className="hp-diff-text">
        {spoken !== undefined && <span className="hp-visually-hidden">{say(spoken)} </span>}
        {(coloured ?? row.pieces).map((piece: ColouredPiece, index) =>
          piece.changed ? (
            // oxlint-disable-next-line react/no-array-index-key -- pieces have no identity but their place
            <span key={index} className="hp-diff-word">
              <ShortText text={piece.text} use="exact" />
            </span>
          ) : coloured === undefined ? (
            // oxlint-disable-next-line react/no-array-index-key -- pieces have no identity but their place
            <ShortText key={index} text={piece.text} use="exact" />
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- pieces have no identity but their place
            <CodeTokenText key={index} token={piece} />
          ),
        )}
        {"\n"}
      </span>
    </div>
  );
}
