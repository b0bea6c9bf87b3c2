import { describe, expect, test } from "vitest";

import { InexactNumberError, parseExactJson } from "./exact-json.ts";

const pathIn = (json: string): string | undefined => {
  try {
    parseExactJson(json);
    return undefined;
  } catch (error) {
    if (error instanceof InexactNumberError) return error.path;
    throw error;
  }
};

describe("[R-6] a number in a JSON text", () => {
  test.each([
    "0",
    "-0",
    "-1",
    "1.50",
    "1e2",
    "1E+2",
    "0.1",
    "123456789012345.5",
    "9007199254740992",
    "1e21",
    "1.7976931348623157e308",
    "5e-324",
    "100000000000000000000",
    "0.30000000000000004",
    "0e400",
    "12345678901234567000",
  ])("%s is kept", (number) => {
    expect(parseExactJson(`{"a": [${number}]}`)).toEqual({ a: [Number(number)] });
  });

  test.each([
    "9007199254740993",
    "1234567890123456789",
    "-12345678901234567890",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1000000000000000000001",
    "123456789012345678e3",
    "1.00000000000000001",
    "3.14159265358979323846",
    "90071992547409930e-1",
  ])("%s is refused, and the error names its place", (number) => {
    expect(pathIn(`{"a": {"b c": [1, ${number}]}}`)).toBe('a["b c"][1]');
    expect(pathIn(number)).toBe("the top");
  });

  test("is found behind texts that look like it, and in a duplicate member", () => {
    const text = String.raw`"1234567890123456789 \" \\"`;
    expect(parseExactJson(`[${text}, {${text}: 1}]`)).toHaveLength(2);
    expect(pathIn(`{"a": ${text}, "id": 1234567890123456789, "id": 1}`)).toBe("id");
    expect(pathIn(`[[], {}, {"a": []}, {"x": {"y": 1e999}}]`)).toBe("[3].x.y");
  });

  test("may follow a byte order mark", () => {
    expect(parseExactJson('\ufeff{"a": 1}')).toEqual({ a: 1 });
    expect(() => parseExactJson("\ufeff\ufeff1")).toThrow(SyntaxError);
  });

  test("takes linear time for long runs of zeros", () => {
    expect(pathIn(`{"a": 1.${"0".repeat(1_000_000)}1}`)).toBe("a");
    expect(parseExactJson(`[1.${"0".repeat(1_000_000)}]`)).toEqual([1]);
  });
});
