import { ChevronsUpDown, FilePen, FilePlus2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";

import { CopyButton } from "./copy-button.tsx";
import { toDiffRows, toLines, type DiffRow } from "./diff-rows.ts";
import { toVisibleString } from "./mark-hidden.ts";
import { PathText } from "./path-text.tsx";
import { VisibleText } from "./visible-text.tsx";

interface DiffViewProps {
  /** Absent: there was nothing before. */
  readonly before?: string;
  readonly after: string;
  /** What is changed, such as a path. */
  readonly caption: string;
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;
const SPOKEN = { same: undefined, added: "added: ", removed: "removed: " } as const;

/** A unified diff with line numbers. All changes are shown; unchanged stretches open on demand. */
export function DiffView({ before, after, caption }: DiffViewProps): ReactNode {
  const { rows, added, removed } = useMemo(() => toDiffRows(before ?? "", after), [before, after]);
  const lines = useMemo(() => toLines(after), [after]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const open = (from: number) => setOpened((last) => new Set(last).add(from));
  const Icon = before === undefined ? FilePlus2 : FilePen;

  return (
    <figure className="hp-diff" aria-label={`Change of ${toVisibleString(caption)}`}>
      <figcaption className="hp-diff-caption">
        <Icon aria-hidden />
        <PathText path={caption} />
        <span className="hp-diff-facts">
          {before === undefined && <span className="hp-diff-new">new file</span>}
          <span className="hp-diff-count">
            <span className="hp-diff-plus">+{added}</span>{" "}
            <span className="hp-diff-minus">−{removed}</span>
          </span>
          <CopyButton text={after} label="Copy the new text" />
        </span>
      </figcaption>
      {rows.length === 0 && <p className="hp-diff-empty">No difference.</p>}
      <div className="hp-diff-rows">
        {rows.flatMap((row, index) =>
          row.type === "gap" && opened.has(row.from)
            ? openGap(row, lines).map((line) => <Row key={keyOf(line, index)} row={line} />)
            : [<Row key={keyOf(row, index)} row={row} onOpen={open} />],
        )}
      </div>
    </figure>
  );
}

/** Remarks have no place of their own: they belong to the line before. */
function keyOf(row: DiffRow, index: number): string {
  if (row.type === "gap") return `gap ${row.from}`;
  if (row.type === "note") return `note ${index}`;
  return `${row.type} ${row.oldLine ?? ""} ${row.newLine ?? ""}`;
}

function openGap(gap: DiffRow & { readonly type: "gap" }, lines: readonly string[]): DiffRow[] {
  return lines.slice(gap.from - 1, gap.from - 1 + gap.count).map((text, index) => ({
    type: "same",
    oldLine: gap.oldFrom + index,
    newLine: gap.from + index,
    pieces: [{ text, changed: false }],
  }));
}

function Row({
  row,
  onOpen,
}: {
  readonly row: DiffRow;
  readonly onOpen?: (from: number) => void;
}): ReactNode {
  if (row.type === "gap") {
    return (
      <button type="button" className="hp-diff-gap" onClick={() => onOpen?.(row.from)}>
        <ChevronsUpDown aria-hidden />
        {row.count === 1 ? "1 unchanged line" : `${row.count} unchanged lines`}
      </button>
    );
  }
  if (row.type === "note") return <div className="hp-diff-note">{row.text}</div>;
  return (
    <div className={`hp-diff-row hp-diff-${row.type}`}>
      <span className="hp-diff-number" aria-hidden="true" data-line={row.oldLine ?? ""} />
      <span className="hp-diff-number" aria-hidden="true" data-line={row.newLine ?? ""} />
      <span className="hp-diff-sign" aria-hidden="true" data-sign={SIGNS[row.type]} />
      <span className="hp-diff-text">
        {SPOKEN[row.type] !== undefined && (
          <span className="hp-visually-hidden">{SPOKEN[row.type]}</span>
        )}
        {row.pieces.map((piece, index) =>
          piece.changed ? (
            // oxlint-disable-next-line react/no-array-index-key -- pieces have no identity but their place
            <span key={index} className="hp-diff-word">
              <VisibleText text={piece.text} />
            </span>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <VisibleText key={index} text={piece.text} />
          ),
        )}
        {"\n"}
      </span>
    </div>
  );
}
