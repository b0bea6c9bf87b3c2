// Documents, comments, test titles and screen texts are in plain English: few phrases that have to be read twice. `-- --all` counts them in
// everything. A name lists each one: `npm run check:prose -- README.md`, `npm run check:prose -- "comments of engine"`.
import { globSync, readFileSync } from "node:fs";

import { type Judgement, judgeProse, type Subject } from "./prose/judge-prose.ts";
import { readCatalogue, readComments, readDocument, readTitles } from "./prose/read-passages.ts";

const DOCUMENTS = [
  "*.md",
  "guides/*.md",
  "decisions/*.md",
  "packages/*/README.md",
  "examples/**/README.md",
];
/** Shorter documents are counted together. */
const SHORT_WORDS = 300;
const CATALOGUES = ["packages/*/src/words/german/*.ts", "packages/protocol/src/english-sayings.ts"];

const isAll = process.argv.includes("--all");
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const judged = [...readDocuments(), ...readPackages(), ...readTests(), readCatalogues()].map(
  judgeProse,
);
const isNamed = ({ name }: Judgement) => named.includes(name);
const chosen = isAll || named.length === 0 ? judged : judged.filter(isNamed);
if (chosen.length === 0) console.log(`Texts: ${judged.map(({ name }) => name).join(", ")}.`);
const faults = chosen.filter(({ isPlain }) => !isPlain);
for (const judgement of isAll || named.length > 0 ? chosen : faults) {
  console.log(describe(judgement));
  if (!isAll) listMarks(judgement);
}
const isFine = chosen.length > 0 && faults.length === 0;
if (isFine) console.log(`${chosen.length} texts are in plain English.`);
process.exit(isFine ? 0 : 1);

function describe({ name, rate, words, marks, isPlain }: Judgement): string {
  const counts = `${marks.length} marks in ${words} words, ${rate.toFixed(0)} in 10,000`;
  return `${isPlain ? " " : "!"} ${name}: ${counts}`;
}

function listMarks({ marks }: Judgement): void {
  for (const { passage, phrase, pattern } of marks) {
    console.log(`  ${passage.path}:${passage.line} ${phrase.trim()} (${pattern})`);
  }
}

function readDocuments(): Subject[] {
  const all = globSync(DOCUMENTS, { exclude: ["**/node_modules/**"] })
    .toSorted()
    .map((path) => ({
      name: path,
      passages: readDocument(path, readFileSync(path, "utf8")),
    }));
  const isShort = (subject: Subject) => judgeProse(subject).words <= SHORT_WORDS;
  const short = all.filter(isShort).flatMap(({ passages }) => passages);
  return [...all.filter((one) => !isShort(one)), { name: "short documents", passages: short }];
}

function readPackages(): Subject[] {
  const names = globSync("packages/*/src").map((path) => path.split("/")[1] ?? "");
  return names.toSorted().map((name) => {
    const exclude = ["**/*.test.{ts,tsx}", "**/testing/**"];
    const paths = globSync(`packages/${name}/src/**/*.{ts,tsx}`, { exclude });
    const passages = paths.flatMap((path) => readComments(path, readFileSync(path, "utf8")));
    return { name: `comments of ${name}`, passages };
  });
}

function readTests(): Subject[] {
  const places = [...globSync("packages/*"), "e2e", "guides", "scripts"].toSorted();
  return places.map((place) => {
    // The tests of this check are full of relapses.
    const exclude = ["**/node_modules/**", "scripts/prose/**"];
    const paths = globSync([`${place}/**/*.test.{ts,tsx}`, `${place}/src/**/testing/**/*.ts`], {
      exclude,
    });
    const passages = paths.flatMap((path) => readTitles(path, readFileSync(path, "utf8")));
    return { name: `test titles of ${place.replace("packages/", "")}`, passages };
  });
}

function readCatalogues(): Subject {
  const paths = globSync(CATALOGUES);
  const passages = paths.flatMap((path) => readCatalogue(path, readFileSync(path, "utf8")));
  return { name: "screen texts", passages };
}
