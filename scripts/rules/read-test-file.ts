import { parseSync, Visitor } from "vite";

/** The relevant parts of a syntax tree. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly object?: Node;
  readonly callee?: Node;
  readonly tag?: Node;
  readonly property?: Node;
  readonly arguments?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
}

export interface TestFile {
  /** The titles of the file's tests and suites, as written. */
  readonly titles: readonly string[];
  /** Every text that an assertion compares with, or that is in a table of cases. */
  readonly asserted: readonly string[];
}

const DEFINERS = new Set(["test", "it", "describe", "base"]);
const TABLES = new Set(["each", "for"]);

/** Reads the assertions of a test file from its syntax, so that other mentions do not count. */
export function readTestFile(path: string, source: string): TestFile {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const titles: string[] = [];
  const asserted: string[] = [];
  const constants = new Map<string, Node>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init) constants.set(id.name, init as Node);
    },
  }).visit(program);
  new Visitor({
    CallExpression(call) {
      const { callee, arguments: given } = call as Node &
        Required<Pick<Node, "callee" | "arguments">>;
      const root = rootOf(callee);
      if (DEFINERS.has(root)) titles.push(...given.slice(0, 1).flatMap(textsIn));
      const isTable = DEFINERS.has(root) && TABLES.has(callee.property?.name ?? "");
      const isAssertion = root === "expect" && callee.object !== undefined && !isDenial(callee);
      if (!isTable && !isAssertion) return;
      for (const one of given) {
        const named = one.name === undefined ? undefined : constants.get(one.name);
        asserted.push(...textsIn(named ?? one));
      }
    },
  }).visit(program);
  return { titles, asserted };
}

/** The name at the start of a chain of calls and members: `expect` of `expect(x).resolves.toBe`. */
function rootOf(node: Node): string {
  const before = node.object ?? node.callee ?? node.tag;
  return before === undefined ? (node.name ?? "") : rootOf(before);
}

/** Whether the chain is a negation. */
function isDenial({ property, object, callee }: Node): boolean {
  const before = object ?? callee;
  return property?.name === "not" || (before !== undefined && isDenial(before));
}

/** All texts within; templates without their expressions. */
function textsIn(node: Node): string[] {
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "TemplateLiteral") return (node.quasis ?? []).map(({ value }) => value.raw);
  const children = Object.values(node).flat().filter(isNode);
  return children.flatMap(textsIn);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
