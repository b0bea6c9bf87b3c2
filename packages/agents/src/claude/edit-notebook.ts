import { BYTE_ORDER_MARK, keepMark, toFeedText } from "./line-endings.ts";

interface Cell {
  id?: string;
  cell_type?: string;
  source: unknown;
  execution_count?: unknown;
  outputs?: unknown;
}

interface Notebook {
  readonly nbformat?: unknown;
  readonly nbformat_minor?: unknown;
  readonly cells: Cell[];
}

/** The notebook after Claude's NotebookEdit. A replaced code cell loses its outputs and its execution count. */
export function editNotebook(
  before: string | undefined,
  input: Record<string, unknown>,
): string | undefined {
  const file = toFeedText(before ?? "");
  const notebook = file && parseNotebook(keepNoMark(file.text));
  if (!file || !notebook || !editCells(notebook, input)) return undefined;
  const end = file.text.endsWith("\n") ? "\n" : "";
  return file.write(keepMark(file.text, JSON.stringify(notebook, null, 1) + end));
}

/** Applies the edit. Returns whether it fits the notebook. */
function editCells(
  notebook: Notebook,
  {
    cell_id: cellId,
    new_source: source,
    cell_type: type,
    edit_mode: mode,
  }: Record<string, unknown>,
): boolean {
  const { cells } = notebook;
  if (typeof source !== "string") return false;
  const at = findCell(cells, cellId);
  if (mode === "insert") return insertCell(notebook, { at, hasPlace: !!cellId, source, type });
  const cell = cells[at];
  if (cell === undefined) return false;
  if (mode === "delete") {
    cells.splice(at, 1);
    return true;
  }
  cell.source = source;
  if (cell.cell_type === "code") Object.assign(cell, { execution_count: null, outputs: [] });
  if (typeof type === "string") cell.cell_type = type;
  return true;
}

/** Finds a cell by its id, or else by its index in `cell-N`. -1: there is none. */
function findCell(cells: readonly Cell[], cellId: unknown): number {
  if (typeof cellId !== "string") return -1;
  const named = cells.findIndex(({ id }) => id === cellId);
  const place = /^cell-(\d+)$/.exec(cellId)?.[1];
  if (named !== -1 || place === undefined) return named;
  return Number(place) < cells.length ? Number(place) : -1;
}

function insertCell(
  { nbformat, nbformat_minor: minor, cells }: Notebook,
  { at, hasPlace, source, type }: { at: number; hasPlace: boolean; source: string; type: unknown },
): boolean {
  const isOldFormat = nbformat === 4 && typeof minor === "number" && minor < 5;
  // Later formats give the cell a random id, which cannot be predicted.
  if (!isOldFormat || typeof type !== "string" || (hasPlace && at === -1)) return false;
  const cell =
    type === "markdown"
      ? { cell_type: type, source, metadata: {} }
      : { cell_type: "code", source, metadata: {}, execution_count: null, outputs: [] };
  cells.splice(at + 1, 0, cell);
  return true;
}

function parseNotebook(text: string): Notebook | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isNotebook(parsed) ? parsed : undefined;
  } catch {
    return undefined; // not a notebook
  }
}

function isNotebook(value: unknown): value is Notebook {
  const cells = (value as Notebook | null)?.cells;
  return Array.isArray(cells) && cells.every(isCell);
}

function isCell(cell: Partial<Cell> | null): boolean {
  const source = cell?.source;
  return (
    typeof source === "string" ||
    (Array.isArray(source) && source.every((line) => typeof line === "string"))
  );
}

function keepNoMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
