import { parseSync, Visitor } from "vite";

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

/** The placeholder for a value in a found sentence. */
export const VALUE = "7";

/** The sentences in a file's code, in full even if they are concatenated with `+`. */
export function findSentences(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const found = new Set<string>();
  const parts = new Set<Node>();
  const add = (node: Node): void => {
    const text = parts.has(node) ? undefined : textOf(node, parts);
    if (text !== undefined && /^[\p{Lu}\d].* .*[.!?]$/su.test(text)) found.add(text);
  };
  new Visitor({
    Literal: add,
    TemplateLiteral: add,
    BinaryExpression: add,
  }).visit(program);
  return [...found];
}

/**
 * The text of a literal, a template or a concatenation of these. Its parts are recorded in `parts`, because they are
 * not separate sentences.
 */
function textOf(node: Node, parts: Set<Node>): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral") {
    return node.quasis?.map(({ value }) => value.cooked ?? "").join(VALUE);
  }
  const { left, right, operator } = node;
  if (node.type !== "BinaryExpression" || operator !== "+" || !left || !right) return undefined;
  const texts = [textOf(left, parts), textOf(right, parts)];
  if (texts.includes(undefined)) return undefined;
  parts.add(left).add(right);
  return texts.join("");
}
