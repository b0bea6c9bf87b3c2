/** Texts that cost a careless page seconds, or all of its stack, to draw. Each is about `SIZE` characters long. */
export interface Bomb {
  readonly name: string;
  readonly text: string;
}

const SIZE = 60_000;

/** As many repetitions as fit. */
function fill(unit: string): string {
  return unit.repeat(Math.ceil(SIZE / unit.length));
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

const CYRILLIC = "\u0430";
const ESC = "\u001B";

/** Nested markdown, or markdown that makes a parser look ahead or back repeatedly. */
const MARKDOWN: Readonly<Record<string, string>> = {
  "quotes 3,000 deep": `${"> ".repeat(3000)}x`,
  "quotes without spaces": `${">".repeat(20_000)}x`,
  "quotes that end lazily": lines(600, (index) => `${"> ".repeat(600 - index)}x`),
  "lists 600 deep": lines(600, (index) => `${" ".repeat(index * 2)}- x`).slice(0, 400_000),
  "a list 600 deep in one line": `${"- ".repeat(600)}x`,
  "numbers 600 deep in one line": `${"1. ".repeat(600)}x`,
  "lists and quotes by turns": `${"> - ".repeat(1000)}x`,
  "emphasis that never closes": fill("*a **a "),
  "emphasis with underscores": fill("_a __a "),
  "emphasis of each letter": fill("*a* "),
  "emphasis inside of emphasis": `${"*a ".repeat(9000)}${" a*".repeat(9000)}`,
  "stars alone": fill("*"),
  "strikes that never close": fill("~~a ~"),
  "brackets that open": fill("["),
  "brackets that open and close": "[".repeat(SIZE / 2) + "]".repeat(SIZE / 2),
  "links in links": `${"[a](".repeat(9000)}${")".repeat(9000)}`,
  "images in images": `${"![".repeat(15_000)}${"](x)".repeat(7000)}`,
  "references without definitions": fill("[a][b] "),
  "3,000 definitions": `${lines(3000, (index) => `[r${index}]: https://a.invalid/${index}`)}\n\n[r1] [r2]`,
  "one reference, 20,000 times": `[a]: https://a.invalid\n\n${fill("[a]")}`,
  footnotes: `${fill("[^a]")}\n\n[^a]: x`,
  "footnotes that call themselves": `[^a]: [^a] ${"[^a] ".repeat(6000)}\n\n[^a]`,
  "code that never closes": Array.from({ length: 340 }, (_, index) => "`".repeat(index + 1)).join(
    " a ",
  ),
  "fences without end": lines(12_000, () => "```"),
  "fences by turns": lines(8000, (index) => (index % 2 === 0 ? "```js" : "```")),
  "a table of 1,000 columns": `${"|a".repeat(1000)}|\n${"|-".repeat(1000)}|\n${lines(20, () => `${"|b".repeat(1000)}|`)}`,
  "a table of 10,000 rows": `|a|b|\n|-|-|\n${lines(10_000, () => "|a|b|")}`,
  "a table with short rows": `${"|a".repeat(3000)}|\n${"|-".repeat(3000)}|\n${lines(6000, () => "|b|")}`,
  "headings of every line": lines(12_000, () => "# a"),
  "lines of a heading": lines(20_000, () => "a\n-"),
  "rules of every line": lines(15_000, () => "***"),
  "tags that never close": fill("<a "),
  "comments that never close": fill("<!--"),
  "declarations that never close": fill("<!A "),
  "processing that never closes": fill("<?a "),
  "entities without a name": fill("&a"),
  entities: fill("&amp;&lt;&quot;"),
  "entities of control characters": fill("&#x202e;&#0;"),
  "addresses without an end": fill("a.b-c+"),
  "mail addresses": fill("a@a.b "),
  "mail addresses without a dot": fill("a@"),
  "web addresses": fill("www.a.b "),
  "web addresses with brackets": `https://a.invalid/${"(".repeat(SIZE)}`,
  "web addresses with entities": `https://a.invalid/${fill("&amp;")}`,
  "angle addresses": fill("<https://a.invalid>"),
  backslashes: fill("\\"),
  "hard breaks": lines(15_000, () => "a  "),
  "task lists": lines(10_000, () => "- [ ] a"),
  tabs: fill("\t- a\n"),
};

/** Text whose characters are marked, measured or combined. */
const CHARACTERS: Readonly<Record<string, string>> = {
  "Cyrillic letters": fill(CYRILLIC),
  "Cyrillic letters behind a Latin one": `x${fill(CYRILLIC)}`,
  "Cyrillic and Latin by turns": fill(`x${CYRILLIC}`),
  "words of both scripts": fill(`p${CYRILLIC}ypal `),
  "zero-width spaces": fill("\u200B"),
  "a zero-width space behind each letter": fill("a\u200B"),
  "changes of direction": fill("\u202Ea\u202C"),
  "isolates that never end": fill("\u2067"),
  "terminal sequences": fill(`${ESC}[31m`),
  "terminal sequences without an end": `${fill(`${ESC}[`)}${fill("0")}`,
  "titles of a terminal without an end": fill(`${ESC}]0;a`),
  "spaces in long runs": fill(`${" ".repeat(30)}a`),
  spaces: fill(" "),
  "line breaks": fill("\n"),
  "a word without an end": fill("w"),
  "a combining mark behind each other": `a${fill("\u0301")}`,
  "combining marks of many kinds": fill(
    "Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0319\u0324",
  ),
  "a family without an end": fill("\u{1F468}\u200D"),
  "flags without a country": fill("\u{1F1E9}"),
  "variation selectors": fill("\uFE0F"),
  "the widest letters": fill("\uFDFD\u{1242B}"),
  "right-to-left letters": fill("\u05D0\u05D1 a "),
  "Arabic letters that join": fill("\u0644\u0627"),
  "Korean parts of letters": fill("\u1100\u1161\u11A8"),
  "tag characters": fill("\u{E0041}"),
  "full-width letters": fill("\uFF41"),
  "folders of a path": fill("/"),
  "folders of two letters": fill("a\\b/"),
  "braces of a template": fill("{ {{ "),
  "an open brace and spaces": `{{${fill(" ")}`,
  "the prefix of a server": `mcp__${fill("a__")}\n`,
};

/** Text that looks like a program's output. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "20,000 lines": lines(20_000, (index) => String(index)),
  "60,000 empty lines with a letter": fill("\na"),
  "JSON in text, 20,000 deep": "[".repeat(SIZE / 2) + "]".repeat(SIZE / 2),
  "quotation marks": fill('"'),
  "quotation marks behind backslashes": fill('\\"'),
  digits: fill("1"),
  "digits with dots": fill("1.e-"),
};

export const BOMBS: readonly Bomb[] = [MARKDOWN, CHARACTERS, PROGRAMS].flatMap((group) =>
  Object.entries(group).map(([name, text]) => ({ name, text })),
);
