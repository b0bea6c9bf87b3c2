import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { parseSync } from "vite";

/** The declarations and exports of a bundled type file. */
export interface Declarations {
  /** The text of each declaration by name, without comments. */
  readonly declared: ReadonlyMap<string, string>;
  /** External name → internal name. */
  readonly exported: ReadonlyMap<string, string>;
  /** Internal name → the file it comes from, and its exported name there. */
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The relevant parts of a statement. */
interface Statement extends Span {
  readonly type: string;
  readonly id?: { readonly name: string } | null;
  readonly declarations?: readonly { readonly id: { readonly name: string } }[];
  readonly declaration?: Statement | null;
  readonly specifiers?: readonly {
    readonly local: { readonly name: string };
    readonly exported?: { readonly name: string };
    readonly imported?: { readonly name: string };
  }[];
  readonly source?: { readonly value: string } | null;
}

/** A longer declaration was not written by a person, such as the whole type of a schema. */
const MAX_LINES = 40;

export function readDeclarations(path: string): Declarations {
  const source = readFileSync(path, "utf8");
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const declared = new Map<string, string>();
  const exported = new Map<string, string>();
  const imported = new Map<string, { path: string; name: string }>();
  for (const statement of program.body as readonly Statement[]) {
    const declaration = statement.declaration ?? statement;
    for (const name of namesOf(declaration)) {
      const text = shorten(withoutComments(source, declaration, comments));
      // An overloaded function has a declaration for each of its signatures.
      declared.set(name, [declared.get(name), text].filter(Boolean).join("\n"));
      if (statement.declaration) exported.set(name, name);
    }
    for (const { local, exported: outside, imported: inside } of statement.specifiers ?? []) {
      if (outside) exported.set(outside.name, local.name);
      if (inside) imported.set(local.name, { path: toTypes(path, statement), name: inside.name });
    }
  }
  return { declared, exported, imported };
}

/** The type file of an import: `./chunk.js` has its types in `./chunk.d.ts`. */
function toTypes(path: string, { source }: Statement): string {
  return join(dirname(path), (source?.value ?? "").replace(/\.(m?)js$/, ".d.$1ts"));
}

function namesOf({ id, declarations = [] }: Statement): string[] {
  const ids = id ? [id] : declarations.map((one) => one.id);
  return ids.map(({ name }) => name);
}

function withoutComments(source: string, { start, end }: Span, comments: readonly Span[]): string {
  const within = comments.filter((comment) => comment.start >= start && comment.end <= end);
  const pieces = [...within, { start: end, end }].map((comment, place) =>
    source.slice(within[place - 1]?.end ?? start, comment.start),
  );
  return pieces.join("").replaceAll(/\s*\n(\s*\n)*/g, "\n");
}

function shorten(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  if (rest.length < MAX_LINES) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${first} … ${rest.length} lines, sha256 ${digest}`;
}
