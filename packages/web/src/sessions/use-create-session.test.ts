import { ClientError } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { sayEnglish } from "../testing/say-english.ts";
import { toFieldErrors } from "./use-create-session.ts";

const refused = (fieldErrors: Record<string, string>): ProtocolError =>
  new ProtocolError("INVALID_REQUEST", "Look at the fields.", { fieldErrors });

test("an error of a field is shown at the field", () => {
  expect(toFieldErrors(refused({ cwd: "No such directory." }), sayEnglish)).toEqual({
    cwd: "No such directory.",
  });
});

test("an error of a hidden field is still shown", () => {
  expect(toFieldErrors(refused({ agent: "Unknown.", cwd: "No." }), sayEnglish)).toEqual({
    agent: "Unknown.",
    cwd: "No.",
    "": "agent: Unknown.",
  });
});

test("an unreachable gateway is reported in words", () => {
  expect(toFieldErrors(new ClientError("CONNECTION_CLOSED", "x"), sayEnglish)[""]).toMatch(
    /cannot be reached/,
  );
});
