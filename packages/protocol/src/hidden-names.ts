const NAMES: Readonly<Record<string, readonly [label: string, name: string]>> = {
  "\0": ["NUL", "null character"],
  "\u0007": ["BEL", "bell"],
  "\b": ["BS", "backspace"],
  "\t": ["⇥", "tab"],
  "\u000B": ["VT", "vertical tab"],
  "\f": ["FF", "form feed"],
  "\r": ["CR", "carriage return"],
  "\u001B": ["ESC", "escape"],
  "\u007F": ["DEL", "delete"],
  "\u0085": ["NEL", "next line"],
  "\u00A0": ["NBSP", "no-break space"],
  "\u00AD": ["SHY", "soft hyphen"],
  "\u061C": ["ALM", "Arabic letter mark"],
  "\u200B": ["ZWSP", "zero-width space"],
  "\u200C": ["ZWNJ", "zero-width non-joiner"],
  "\u200D": ["ZWJ", "zero-width joiner"],
  "\u200E": ["LRM", "left-to-right mark"],
  "\u200F": ["RLM", "right-to-left mark"],
  "\u2028": ["LS", "line separator"],
  "\u2029": ["PS", "paragraph separator"],
  "\u202A": ["LRE", "left-to-right embedding"],
  "\u202B": ["RLE", "right-to-left embedding"],
  "\u202C": ["PDF", "end of direction change"],
  "\u202D": ["LRO", "left-to-right override"],
  "\u202E": ["RLO", "right-to-left override"],
  "\u2060": ["WJ", "word joiner"],
  "\u2066": ["LRI", "left-to-right isolate"],
  "\u2067": ["RLI", "right-to-left isolate"],
  "\u2068": ["FSI", "first-strong isolate"],
  "\u2069": ["PDI", "end of isolate"],
  "\uFEFF": ["BOM", "byte order mark"],
};

/** Returns the code point of a character in Unicode notation, such as `U+202E`. */
export function toCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Returns a short label for a hidden character, and its name. */
export function describeHidden(character: string): readonly [label: string, name: string] {
  const known = NAMES[character];
  if (known !== undefined) return known;
  const code = toCodePoint(character);
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xe0000 && point <= 0xe007f) return [code, "invisible tag character"];
  if (/\p{Zs}/u.test(character)) return [code, "unusual space"];
  if (/\p{Cc}/u.test(character)) return [code, "control character"];
  if (/\p{Co}|\p{Cn}/u.test(character)) return [code, "character without a meaning"];
  return [code, "invisible character"];
}
