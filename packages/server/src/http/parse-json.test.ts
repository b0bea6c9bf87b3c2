import { ProtocolError } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { parseJson } from "./parse-json.ts";

const parse = (text: string) => parseJson("The body", Buffer.from(text));

test.each(["1234567890123456789", "1e400", "0.10000000000000000001"])(
  "[R-6] %s is refused if it cannot be kept exactly",
  (number) => {
    expect(() => parse(`{"input": {"ids": [1, ${number}]}}`)).toThrow(
      new ProtocolError(
        "BAD_REQUEST",
        "The body: The number at input.ids[1] cannot be kept exactly. Write it as a string.",
      ),
    );
  },
);

test("a byte order mark is not part of the text", () => {
  expect(parse('\ufeff{"a": "1234567890123456789"}')).toEqual({ a: "1234567890123456789" });
});
