/** One line of the report: what was measured, and whether it keeps its budget. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly budget: string;
  readonly kept: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, figure, budget, kept }) => [
    what,
    figure,
    budget,
    kept ? "kept" : "MISSED",
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
