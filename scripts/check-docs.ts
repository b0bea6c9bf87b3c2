// Checks that every path in the project's documents exists, and that their lines fit on a screen.
// The guides' tables of settings must match the code: `npm run check:docs -- --update` writes them.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { settingTables, withTable } from "./setting-tables.ts";

const DOCUMENTS = globSync(["*.md", "guides/*.md", "decisions/*.md", "packages/*/README.md"]);
/** Its paths may start in a package: `engine/src/…` is `packages/engine/src/…`. */
const ARCHITECTURE = "ARCHITECTURE.md";
const MAX_COLUMNS = 120;
const CODE = /`([^`\n]+)`/g;
const LINK = /\]\(([^)#:\s]*)(?:#([^):\s]*))?\)/g;
const IS_PATH = /^[\w@.-]+\/[\w@./-]*$|^[\w-]+\.(?:ts|tsx|md|json)$/;

/** Until the package is published, the name may belong to someone else on a registry. In a checkout `npx` finds ours. */
const REGISTRY_COMMAND = /\bnpx holdpoint\b|\bnpm (?:i|install)\b[^\n`]* holdpoint(?=[\s`@]|$)/;
const IN_CHECKOUT = ["README.md", "CONTRIBUTING.md", "decisions/"];

/** Each has a table of promises. */
const WITH_PROMISES = ["guides/promises.md", "guides/durability.md"];
/** A promise: a sentence, the test file, and words of one of its titles. */
const PROMISE = /^\| .+ \| \[([^\]]+)\]\(([^)]+)\) +\|$/gm;

const faults: string[] = [];
for (const document of DOCUMENTS) {
  const text = readFileSync(document, "utf8");
  for (const [, target = "", anchor] of text.matchAll(LINK)) {
    const path = target === "" ? document : join(dirname(document), target);
    if (!existsSync(path)) {
      faults.push(`${document} links to ${target}, which is not there`);
    } else if (anchor !== undefined && !anchorsOf(path).includes(anchor)) {
      faults.push(`${document} links to ${target}#${anchor}, which has no such heading`);
    }
  }
  let isCode = false;
  for (const [place, line] of text.split("\n").entries()) {
    if (line.startsWith("```")) isCode = !isCode;
    if (REGISTRY_COMMAND.test(line) && !IN_CHECKOUT.some((path) => document.startsWith(path))) {
      faults.push(`${document}:${place + 1} takes holdpoint from a registry: write \`holdpoint\``);
    }
    if (line.length > MAX_COLUMNS && !isCode && !line.startsWith("|") && !line.startsWith("![")) {
      faults.push(`${document}:${place + 1} has ${line.length} columns`);
    }
  }
}
for (const [, named = ""] of readFileSync(ARCHITECTURE, "utf8").matchAll(CODE)) {
  if (!IS_PATH.test(named)) continue;
  const places = [named, `packages/${named}`];
  if (!places.some((path) => existsSync(path))) {
    faults.push(`${ARCHITECTURE} names ${named}, which is not there`);
  }
}
for (const table of settingTables()) {
  const text = readFileSync(table.document, "utf8");
  const current = withTable(text, table);
  if (current === text) continue;
  if (process.argv.includes("--update")) writeFileSync(table.document, current);
  else {
    const line = table.after.trim();
    faults.push(
      `${table.document}: the table after "${line}" is old: npm run check:docs -- --update`,
    );
  }
}
for (const document of WITH_PROMISES) faults.push(...findPromiseFaults(document));
console.log(faults.length === 0 ? "The documents name what is there." : faults.join("\n"));
process.exit(faults.length === 0 ? 0 : 1);

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Each promise has to contain words of the title of an existing test. */
function findPromiseFaults(document: string): string[] {
  const promises = [...readFileSync(document, "utf8").matchAll(PROMISE)];
  if (promises.length === 0) return [`${document} has no promise with its test`];
  return promises.flatMap(([, title = "", target = ""]) => {
    const path = join(dirname(document), target);
    const isThere = existsSync(path) && readFileSync(path, "utf8").includes(title);
    return isThere ? [] : [`${document} promises what no test in ${path} is called: ${title}`];
  });
}
