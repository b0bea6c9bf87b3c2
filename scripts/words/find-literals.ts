import { parseSync } from "vite";

/** A part of a syntax tree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** A text in the code that a person would read, and that is not in the catalogue. */
export interface Literal {
  readonly line: number;
  readonly text: string;
}

/** A sentence, or a word that begins like one. */
const WORDS = /\p{L}{2}[,.;:]? \(?\p{L}{2}|^[“"(]?\p{Lu}\p{Ll}{2,}[\p{L} ]*[.:…?!]?$/u;

/** Attributes with values that no one reads. */
const UNREAD_ATTRIBUTES = new Set(["className", "style", "d", "viewBox", "key", "rel", "of"]);
const UNREAD_CALLS = new Set([
  "Error",
  "assert",
  "querySelector",
  "closest",
  "matches",
  "matchMedia",
]);
const CODE = /^(?:code|kbd)$/u;
const UNREAD_NODES = new Set([
  "ImportDeclaration",
  "BinaryExpression",
  "TSLiteralType",
  "TSTypeReference",
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
]);

/** Finds the texts for people in a file that are not in the catalogue. `known`: the texts of the catalogue. */
export function findLiterals(path: string, source: string, known: ReadonlySet<string>): Literal[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const found: Literal[] = [];
  const add = ({ start }: Node, text: string): void => {
    found.push({ line: source.slice(0, start).split("\n").length, text: text.trim() });
  };
  const visit = (node: Node): void => {
    if (isUnread(node)) return;
    if (node.type === "JSXText" && /\p{L}{2}/u.test(String(node["value"]))) {
      add(node, String(node["value"]));
    }
    const text = textOf(node);
    if (text !== undefined && WORDS.test(text) && !known.has(text)) add(node, text);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as Node);
  return found;
}

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node["quasis"] as readonly { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join("{}");
}

function isUnread(node: Node): boolean {
  if (UNREAD_NODES.has(node.type)) return true;
  // Code and keys are the same in every language.
  if (node.type === "JSXElement") {
    return CODE.test(nameOf((node["openingElement"] as Node)["name"]));
  }
  if (node.type === "JSXAttribute") return UNREAD_ATTRIBUTES.has(nameOf(node["name"]));
  // Names a component of a seam.
  if (node.type === "Property") return nameOf(node["key"]) === "of";
  if (node.type === "CallExpression" || node.type === "NewExpression") {
    return UNREAD_CALLS.has(nameOf(node["callee"]));
  }
  return node.type === "ExpressionStatement" && typeof node["directive"] === "string";
}

/** The name of a node: `closest` of `target.closest`, `className` of an attribute. */
function nameOf(node: unknown): string {
  const { name, property } = (node ?? {}) as { name?: unknown; property?: unknown };
  if (typeof name === "string") return name;
  return property === undefined ? "" : nameOf(property);
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([field, value]) => {
    // An object's key is a name in the code.
    if (field === "key" && node["computed"] !== true) return [];
    // A case is only compared with.
    if (field === "test" && node.type === "SwitchCase") return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
