import { trimEnd } from "./trim-end.ts";

/** Matches numbers that may lose precision. Numbers with fewer digits and no exponent are exact. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE][+-]?\d/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BYTE_ORDER_MARK = "\ufeff";

/** A number in a JSON text cannot be represented exactly. */
export class InexactNumberError extends Error {
  /** The path of the number, such as `input.ids[2]`. */
  readonly path: string;

  constructor(path: string) {
    super(`The number at ${path} cannot be kept exactly. Write it as a string.`);
    this.name = "InexactNumberError";
    this.path = path;
  }
}

/**
 * Parses a JSON text, which may begin with a byte order mark. Throws `SyntaxError`, or `InexactNumberError` for a
 * number that JavaScript cannot represent exactly.
 */
export function parseExactJson(text: string): unknown {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const value: unknown = JSON.parse(json);
  if (MAY_BE_INEXACT.test(json)) assertExact(json);
  return value;
}

/** An object or list around the current position. */
interface Place {
  /** For a list: the number of complete members. */
  index: number;
  /** For an object: the name of the current member. */
  key?: string;
  readonly isList: boolean;
}

/** Checks all numbers in a valid JSON text in a single pass. Throws `InexactNumberError`. */
function assertExact(json: string): void {
  const places: Place[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charAt(at);
    if (sign === '"') at = passString(json, at, places.at(-1));
    else if (/[-\d]/.test(sign)) at = passNumber(json, at, places);
    else note(sign, places);
  }
}

/** Returns the index of the last character of the string at `start`. Stores a member's name in `place`. */
function passString(json: string, start: number, place: Place | undefined): number {
  const end = endOfString(json, start);
  if (place && isKey(json, end)) place.key = JSON.parse(json.slice(start, end)) as string;
  return end - 1;
}

/** Returns the index of the last digit of the number at `start`. Throws `InexactNumberError`. */
function passNumber(json: string, start: number, places: readonly Place[]): number {
  NUMBER.lastIndex = start;
  const [number = "0"] = NUMBER.exec(json) ?? [];
  if (!isExact(number)) throw new InexactNumberError(pathOf(places));
  return start + number.length - 1;
}

function note(sign: string, places: Place[]): void {
  const place = places.at(-1);
  if (sign === "[" || sign === "{") places.push({ index: 0, isList: sign === "[" });
  else if (sign === "]" || sign === "}") places.pop();
  else if (sign === "," && place) place.index += 1;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (/\s/.test(json[at] ?? "")) at += 1;
  return json[at] === ":";
}

/** Whether JavaScript writes the number back with the same value, in any notation. */
function isExact(number: string): boolean {
  const value = Number(number);
  return Number.isFinite(value) && normalize(number) === normalize(String(value));
}

/** Returns the sign, the digits without zeros at either end, and the power of ten of the last digit. */
function normalize(number: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = trimEnd(digits, "0");
  if (kept === "") return "0";
  return `${sign}${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}

function pathOf(places: readonly Place[]): string {
  const steps = places.map(({ isList, index, key = "" }) => {
    if (isList) return `[${index}]`;
    return /^[\p{L}_$][\p{L}\d_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return steps.join("").replace(/^\./, "") || "the top";
}
