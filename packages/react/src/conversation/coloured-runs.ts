const COLOURS = ["", "red", "green", "yellow", "blue", "magenta", "cyan", ""] as const;

type Look = Exclude<(typeof COLOURS)[number], ""> | "bold" | "dim" | "underline";

export interface ColouredRun {
  readonly text: string;
  readonly looks: readonly Look[];
}

/** Only the codes for terminal colours: those for the cursor could hide text. */
// oxlint-disable-next-line no-control-regex -- the escape sign begins each code
const CODES = /\u001B\[([\d;]*)m/gu;
/** Texts above these limits are shown with their codes. */
const MAX_RUNS = 2000;
const MAX_LENGTH = 100_000;

/**
 * The text without its codes, in runs of the same style. Ignores background colours, and concealed and blinking text,
 * so that nothing becomes hard to read.
 */
export function toColouredRuns(text: string): readonly ColouredRun[] {
  if (text.length > MAX_LENGTH) return [{ text, looks: [] }];
  const runs: ColouredRun[] = [];
  let style: Style = PLAIN;
  let from = 0;
  const add = (to: number): void => {
    if (to > from) runs.push({ text: text.slice(from, to), looks: toLooks(style) });
  };
  for (const match of text.matchAll(CODES)) {
    if (runs.length >= MAX_RUNS) return [{ text, looks: [] }];
    add(match.index);
    from = match.index + match[0].length;
    style = applyCodes(style, match[1] ?? "");
  }
  add(text.length);
  return runs;
}

interface Style {
  /** An index in `COLOURS`; 0 is the default colour. */
  readonly colour: number;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underline: boolean;
}

const PLAIN: Style = { colour: 0, bold: false, dim: false, underline: false };

function toLooks({ colour, bold, dim, underline }: Style): readonly Look[] {
  const name = COLOURS[colour] ?? "";
  return [
    ...(name === "" ? [] : [name]),
    ...(bold ? (["bold"] as const) : []),
    ...(dim ? (["dim"] as const) : []),
    ...(underline ? (["underline"] as const) : []),
  ];
}

function applyCodes(before: Style, text: string): Style {
  const codes = text === "" ? [0] : text.split(";").map(Number);
  let style = before;
  while (codes.length > 0) {
    const code = codes.shift() ?? 0;
    if (code === 38 || code === 48) {
      const colour = takeExtended(codes);
      if (code === 38) style = { ...style, colour };
    } else {
      style = applyCode(style, code);
    }
  }
  return style;
}

/** `5;N` is one of 256 colours, of which the first sixteen have names; `2;R;G;B` has no name. */
function takeExtended(codes: number[]): number {
  if (codes.shift() === 2) {
    codes.splice(0, 3);
    return 0;
  }
  const index = codes.shift() ?? 0;
  return index < 16 ? index % 8 : 0;
}

function applyCode(style: Style, code: number): Style {
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
    return { ...style, colour: code % 10 };
  }
  switch (code) {
    case 0:
      return PLAIN;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 4:
      return { ...style, underline: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 24:
      return { ...style, underline: false };
    case 39:
      return { ...style, colour: 0 };
    default:
      return style;
  }
}
