/**
 * Text of an agent may hold characters that a person does not see, or that make what is seen differ from what is
 * there. This is the one place that finds them; every surface shows its marks instead of the characters.
 */
export type TextSegment =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "mark";
      /** What was there. */
      readonly raw: string;
      /** Short sign to show in its place, such as `U+202E`. */
      readonly label: string;
      /** What it is, for people. */
      readonly name: string;
    };

const CONTROL_NAMES: Readonly<Record<string, readonly [label: string, name: string]>> = {
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

/** Runs of spaces from here on push what follows out of sight. */
const LONG_SPACES = 24;
/** So do empty lines. */
const LONG_BLANK_LINES = 6;

const PICTOGRAPH = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;

/** Letters of other scripts that look Latin; they mislead only inside a word that is Latin otherwise. */
const LOOKALIKES = "аеорсухѕіјһԁԛԝѵАВЕКМНОРСТХУІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧονѴԌ";

const PATTERN = new RegExp(
  [
    // Sequences that make a picture are seen as what they are.
    String.raw`(?<emoji>${PICTOGRAPH}\uFE0F?(?:\u200D${PICTOGRAPH}\uFE0F?)+|[\p{Extended_Pictographic}0-9#*]\uFE0F)`,
    // ANSI: CSI and OSC sequences, whole.
    String.raw`(?<ansi>(?:\u001B\[|\u009B)[0-?]*[ -\/]*[@-~]|\u001B\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?)`,
    String.raw`(?<lookalike>(?<=\p{Script=Latin}\p{L}*)[${LOOKALIKES}]|[${LOOKALIKES}](?=\p{L}*\p{Script=Latin}))`,
    String.raw`(?<spaces> {${LONG_SPACES},})`,
    String.raw`(?<lines>\n{${LONG_BLANK_LINES},})`,
    // Invisible or misleading: control, format, separators other than space and newline, private, unassigned,
    // lone surrogates, and letters and signs that draw nothing.
    String.raw`(?<hidden>[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}])`,
  ].join("|"),
  "gu",
);

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function describeHidden(character: string): readonly [label: string, name: string] {
  const known = CONTROL_NAMES[character];
  if (known !== undefined) return known;
  const code = codePoint(character);
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xe0000 && point <= 0xe007f) return [code, "invisible tag character"];
  if (/\p{Zs}/u.test(character)) return [code, "unusual space"];
  if (/\p{Cc}/u.test(character)) return [code, "control character"];
  if (/\p{Co}|\p{Cn}/u.test(character)) return [code, "character without a meaning"];
  return [code, "invisible character"];
}

/**
 * Splits text into what can be shown as it is and what needs a mark. The `text` and `raw` of all segments joined
 * are the text again, exactly. Single newlines and spaces stay text.
 */
export function markHidden(text: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let plain = "";
  let end = 0;
  const flush = () => {
    if (plain !== "") segments.push({ type: "text", text: plain });
    plain = "";
  };
  for (const match of text.matchAll(PATTERN)) {
    const raw = match[0];
    plain += text.slice(end, match.index);
    end = match.index + raw.length;
    if (raw === "\n" || match.groups?.["emoji"] !== undefined) {
      plain += raw;
      continue;
    }
    const [label, name] = describeMatch(raw, match.groups ?? {});
    flush();
    segments.push({ type: "mark", raw, label, name });
  }
  plain += text.slice(end);
  flush();
  return segments;
}

function describeMatch(
  raw: string,
  groups: Record<string, string | undefined>,
): readonly [label: string, name: string] {
  if (groups["ansi"] !== undefined) {
    const shown = raw
      .replaceAll("\u001B", "ESC")
      .replaceAll("\u0007", "BEL")
      .replaceAll("\u009B", "CSI");
    return [shown, "terminal control sequence"];
  }
  if (groups["lookalike"] !== undefined) {
    return [`${raw} ${codePoint(raw)}`, "letter of another script that looks Latin"];
  }
  if (groups["spaces"] !== undefined) return [`␣×${raw.length}`, `${raw.length} spaces in a row`];
  if (groups["lines"] !== undefined) {
    return [`↵×${raw.length}`, `${raw.length} line breaks in a row`];
  }
  return describeHidden(raw);
}

/** The text with its marks in brackets, for places that hold only a string: labels, titles, notifications. */
export function toVisibleString(text: string): string {
  return markHidden(text)
    .map((segment) => (segment.type === "text" ? segment.text : `[${segment.label}]`))
    .join("");
}
