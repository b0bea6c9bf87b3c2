import { parseSync, Visitor } from "vite";

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

/** What stands for a value in a sentence that was found. */
export const VALUE = "7";

/** The sentences in the code of a file, whole also where they were put together by `+`. */
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

/** The text of a literal, a template or a sum of these, whose parts are noted: they are no sentences of their own. */
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
