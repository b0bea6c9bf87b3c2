/** Texts that can be mistaken for others. Each consists of an ASCII text and look-alikes of some of its letters. */

const CYRILLIC: Readonly<Record<string, string>> = {
  a: "а",
  c: "с",
  e: "е",
  o: "о",
  p: "р",
  x: "х",
  y: "у",
  s: "ѕ",
  i: "і",
  j: "ј",
  h: "һ",
  d: "ԁ",
  l: "ӏ",
  v: "ѵ",
  w: "ԝ",
  q: "ԛ",
};
const GREEK: Readonly<Record<string, string>> = {
  o: "ο",
  v: "ν",
  a: "α",
  p: "ρ",
  i: "ι",
  u: "υ",
  y: "γ",
};
const ARMENIAN: Readonly<Record<string, string>> = {
  o: "օ",
  n: "ո",
  h: "հ",
  u: "ս",
  g: "ց",
  q: "զ",
};
const LATIN: Readonly<Record<string, string>> = {
  a: "ɑ",
  g: "ɡ",
  i: "ɪ",
  o: "ᴏ",
  s: "ꜱ",
  u: "ᴜ",
  v: "ᴠ",
  w: "ᴡ",
  z: "ᴢ",
  y: "ʏ",
};
const CHEROKEE: Readonly<Record<string, string>> = {
  a: "Ꭺ",
  c: "Ꮯ",
  e: "Ꭼ",
  m: "Ꮇ",
  p: "Ꮲ",
  r: "Ꮢ",
  s: "Ꮪ",
  t: "Ꭲ",
};

const WORDS = [
  "apple",
  "google",
  "github",
  "paypal",
  "microsoft",
  "example",
  "sudo",
  "echo",
  "cat",
  "cp",
  "scp",
  "curl",
  "npm",
  "docker",
  "passwd",
  "shadow",
  "authorized_keys",
  "config",
  "secret",
  "deploy",
  "production",
  "localhost",
  "root",
  "admin",
  "support",
  "bank",
  "login",
  "account",
  "update",
  "service",
  "private",
  "public",
  "hosts",
  "backup",
  "apache",
  "ssh",
  "server",
  "chown",
  "chmod",
  "python",
  "package",
] as const;

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  "/": ["∕", "⁄", "⧸", "╱", "⟋", "／", "᜵"],
  "\\": ["∖", "⧵", "⧹", "＼", "⟍", "﹨"],
  ".": ["․", "．", "٠", "｡"],
  ":": ["∶", "꞉", "ː", "˸", "：", "։", "׃"],
  ";": ["\u037E", "；"],
  "-": ["‐", "‑", "–", "−", "﹣", "－", "˗"],
  "'": ["‘", "’", "′", "ʹ", "＇", "ʼ"],
  '"': ["“", "”", "″", "＂", "〃", "ʺ", "ˮ"],
  "|": ["￨", "∣", "ǀ", "ǁ", "｜"],
  "&": ["＆", "ꝸ"],
  $: ["＄", "﹩"],
  "*": ["∗", "⁎", "＊"],
  "~": ["∼", "˜", "～"],
  ">": ["›", "＞", "❯"],
  "<": ["‹", "＜", "❮"],
  "=": ["＝", "꓿", "゠"],
  "?": ["？", "ʔ"],
  "#": ["＃", "﹟"],
  "@": ["＠", "﹫"],
  "(": ["（", "❨"],
  "`": ["｀", "ˋ"],
  "!": ["ǃ", "！"],
};

/** Spoofs of words, which have to be marked in every position. */
export function listWordSpoofs(): readonly string[] {
  const spoofs = [CYRILLIC, GREEK, ARMENIAN, LATIN, CHEROKEE].flatMap((letters) =>
    WORDS.flatMap((word) => [replaceOne(word, letters), replaceAll(word, letters)]),
  );
  const wide = WORDS.map((word) => replaceOne(word, (letter) => shift(letter, 0xfee0)));
  const bold = WORDS.map((word) => replaceOne(word, (letter) => shift(letter, 0x1d41a - 0x61)));
  return [...new Set([...spoofs, ...wide, ...bold])].filter((text) => !isAscii(text));
}

/** Commands and addresses with look-alikes of signs. */
export function listSignSpoofs(): readonly string[] {
  return Object.entries(SIGNS).flatMap(([sign, others]) =>
    others.flatMap((other) =>
      [`github.com${other}x.evil.invalid`, `echo a ${other} b`, `rm ${other}rf ~`].map((text) =>
        sign === other ? "" : text,
      ),
    ),
  );
}

/** Commands and code with letters that are drawn from right to left. */
export const RIGHT_TO_LEFT_SPOOFS: readonly string[] = [
  "rm -rf אבג 123 /tmp",
  "cp א ב && rm ג",
  "curl https://a.invalid/ا?b=1",
  "echo 'د' ; rm -rf ~",
  "mv ܐ ܒ",
  "cat ߊ",
  "open א.exe",
  "tar xf ޒ -C /",
];

type Letters = Readonly<Record<string, string>> | ((letter: string) => string);

function replaceAll(word: string, letters: Letters): string {
  return Array.from(word, (letter) => replace(letter, letters)).join("");
}

function replaceOne(word: string, letters: Letters): string {
  const place = Array.from(word).findIndex((letter) => replace(letter, letters) !== letter);
  return Array.from(word, (letter, index) =>
    index === place ? replace(letter, letters) : letter,
  ).join("");
}

function replace(letter: string, letters: Letters): string {
  return typeof letters === "function" ? letters(letter) : (letters[letter] ?? letter);
}

function shift(letter: string, by: number): string {
  return /[a-z]/.test(letter) ? String.fromCodePoint((letter.codePointAt(0) ?? 0) + by) : letter;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7F]*$/.test(text);
}
