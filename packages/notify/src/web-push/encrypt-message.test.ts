import { createECDH } from "node:crypto";

import { expect, test } from "vitest";

import { decryptMessage } from "../testing/decrypt-message.ts";
import { encryptMessage, MAX_MESSAGE_BYTES } from "./encrypt-message.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

test("a message is encrypted exactly as in the example of RFC 8291", () => {
  const encrypted = encryptMessage(Buffer.from("When I grow up, I want to be a watermelon"), {
    p256dh:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
    paddedBytes: 0,
    fixed: {
      salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
      privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    },
  });
  expect(encrypted.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

/** A browser's keys. */
function createReceiver() {
  const pair = createECDH("prime256v1");
  const p256dh = pair.generateKeys().toString("base64url");
  return { pair, p256dh, auth: "BTBZMqHH6r4Tts7J_aSIgg" };
}

test("only the browser can read a message, all messages are equally long, and no two are alike", () => {
  const receiver = createReceiver();
  const texts = ["", "{}", "x".repeat(1000)];
  const encrypted = [...texts, ...texts].map((text) =>
    encryptMessage(Buffer.from(text), { ...receiver, paddedBytes: 2048 }),
  );
  expect(new Set(encrypted.map(({ length }) => length)).size).toBe(1);
  expect(new Set(encrypted.map((message) => message.toString("hex"))).size).toBe(6);
  expect(encrypted.map((message) => decryptMessage(message, receiver).toString())).toEqual([
    ...texts,
    ...texts,
  ]);
  expect(() => decryptMessage(encrypted[1]!, createReceiver())).toThrow(/auth/iu);
});

test("the longest message is accepted, and a longer one is refused", () => {
  const receiver = { ...createReceiver(), paddedBytes: 0 };
  expect(encryptMessage(Buffer.alloc(MAX_MESSAGE_BYTES), receiver)).toHaveLength(4096);
  expect(() => encryptMessage(Buffer.alloc(MAX_MESSAGE_BYTES + 1), receiver)).toThrow(RangeError);
});

test("a value that is not a browser key is refused", () => {
  const { auth } = createReceiver();
  for (const p256dh of ["A".repeat(87), "B".repeat(87), "", "BA"]) {
    expect(() => encryptMessage(Buffer.from("{}"), { p256dh, auth, paddedBytes: 0 })).toThrow(
      Error,
    );
  }
});
