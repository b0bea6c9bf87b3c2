import { ClientError } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { sayEnglish } from "../testing/say-english.ts";
import { toFieldErrors } from "./use-create-session.ts";

const refused = (fieldErrors: Record<string, string>): ProtocolError =>
  new ProtocolError("INVALID_REQUEST", "Look at the fields.", { fieldErrors });

test("what is wrong with a field stands at the field", () => {
  expect(toFieldErrors(refused({ cwd: "No such directory." }), sayEnglish)).toEqual({
    cwd: "No such directory.",
  });
});

test("what belongs to no shown field is not swallowed", () => {
  expect(toFieldErrors(refused({ agent: "Unknown.", cwd: "No." }), sayEnglish)).toEqual({
    agent: "Unknown.",
    cwd: "No.",
    "": "agent: Unknown.",
  });
});

test("a gateway out of reach is told in words", () => {
  expect(toFieldErrors(new ClientError("CONNECTION_CLOSED", "x"), sayEnglish)[""]).toMatch(
    /cannot be reached/,
  );
});
