// Writes the table of characters that look like ASCII: node scripts/write-look-alikes.ts PATH/TO/confusables.txt
// The file is part of Unicode's security data: https://www.unicode.org/Public/security/latest/confusables.txt
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TARGET = fileURLToPath(new URL("../packages/protocol/src/look-alikes.ts", import.meta.url));

/** Letters of other scripts are marked without a table: hardly anyone writes these scripts today. */
const IN_COMMON_USE =
  /^[\p{Script=Arabic}\p{Script=Armenian}\p{Script=Bengali}\p{Script=Bopomofo}\p{Script=Cyrillic}\p{Script=Devanagari}\p{Script=Ethiopic}\p{Script=Georgian}\p{Script=Greek}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Han}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Hiragana}\p{Script=Kannada}\p{Script=Katakana}\p{Script=Khmer}\p{Script=Lao}\p{Script=Latin}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thaana}\p{Script=Thai}\p{Script=Tibetan}\p{Script=Common}\p{Script=Inherited}]$/u;
const SPACE = /^\p{Z}$/u;
const LETTER = /^[\p{L}\p{N}]$/u;
const ASCII = /^[\x21-\x7E]+$/;

interface LookAlike {
  readonly point: number;
  readonly looksLike: string;
}

function readLine(line: string): readonly LookAlike[] {
  const [source = "", target = ""] = line.replace("\uFEFF", "").split(";");
  const character = fromHex(source);
  const looksLike = toOne(character, fromHex(target));
  if (looksLike === undefined || Array.from(character).length !== 1) return [];
  const point = character.codePointAt(0) ?? 0;
  if (point < 128 || SPACE.test(character) || !IN_COMMON_USE.test(character)) return [];
  // The page finds these without the table.
  if (ASCII.test(character.normalize("NFKC"))) return [];
  return [{ point, looksLike }];
}

function fromHex(text: string): string {
  const points = text.trim().split(/\s+/);
  if (!points.every((point) => /^[0-9A-F]{4,6}$/.test(point))) return "";
  return String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16)));
}

/**
 * The one ASCII character that it looks like; for signs also a double one, such as two apostrophes for a quotation
 * mark.
 */
function toOne(character: string, target: string): string | undefined {
  if (!ASCII.test(target)) return undefined;
  if (target.length === 1) return target;
  if (LETTER.test(character) || new Set(target).size > 1) return undefined;
  return target === "''" ? '"' : target[0];
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Say where confusables.txt is.");
const source = readFileSync(path, "utf8");
const version = /^# Version: (\S+)/m.exec(source)?.[1];
const found = source
  .split("\n")
  .filter((line) => !line.startsWith("#"))
  .flatMap(readLine)
  .toSorted((one, other) => one.point - other.point);
const steps = found.map(({ point }, index) =>
  (point - (found[index - 1]?.point ?? 0)).toString(36),
);
writeFileSync(
  TARGET,
  `// Written by scripts/write-look-alikes.ts from confusables.txt of Unicode ${version}, © Unicode, Inc., Unicode License v3.
/** How far each character is from the one before it, in base 36. */
const STEPS =
  ${JSON.stringify(steps.join(" "))};
/** The ASCII characters that they look like, in the same order. */
const LOOKS = ${JSON.stringify(found.map(({ looksLike }) => looksLike).join(""))};

/** The characters of scripts in common use that look like an ASCII character, ${found.length} in all. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = readTable();

function readTable(): Map<string, string> {
  const table = new Map<string, string>();
  let point = 0;
  for (const [index, step] of STEPS.split(" ").entries()) {
    point += Number.parseInt(step, 36);
    table.set(String.fromCodePoint(point), LOOKS[index] ?? "");
  }
  return table;
}
`,
);
spawnSync("npx", ["oxfmt", TARGET], { stdio: "inherit" });
process.stdout.write(`${found.length} look-alikes of Unicode ${version}\n`);
