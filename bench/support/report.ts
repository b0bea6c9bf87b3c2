/** One line of the report. A row without a budget is only shown. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly budget?: Budget;
}

export interface Budget {
  readonly text: string;
  readonly kept: boolean;
}

/** A figure with an upper limit. */
export function atMost(figure: number, limit: number, text: string): Budget {
  return { text: `≤ ${text}`, kept: figure <= limit };
}

/** A figure with a lower limit. */
export function atLeast(figure: number, limit: number, text: string): Budget {
  return { text: `≥ ${text}`, kept: figure >= limit };
}

/** 1 when a budget is missed or nothing was measured; otherwise 0. */
export function exitCodeOf(rows: readonly Row[]): 0 | 1 {
  return rows.length > 0 && rows.every(({ budget }) => budget?.kept ?? true) ? 0 : 1;
}

export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, figure, budget }) => [
    what,
    figure,
    budget?.text ?? "",
    budget ? verdictOf(budget) : "",
  ]);
  const cells = [["what", "measured", "budget", ""], ...lines];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function verdictOf({ kept }: Budget): string {
  return kept ? "kept" : "MISSED";
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}
