import type { Caller } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Presence } from "./presence.ts";

const ada: Caller = { principal: "person", person: "Ada", client: "laptop" };

interface PresenceFrame {
  readonly clients: readonly { clientId: string; interactionEnabled: boolean }[];
  readonly answerable: boolean;
}

function openPresence() {
  const seen: PresenceFrame[] = [];
  const presence: Presence = new Presence({
    onChange: () => void seen.push(JSON.parse(presence.frame.json) as PresenceFrame),
  });
  const come = (clientId: string): AbortController => {
    const here = new AbortController();
    presence.announce({ ...ada, clientId }, { signal: here.signal });
    return here;
  };
  return { presence, seen, come };
}

test("[R-20] a thousand clients that come and go are reported in few and small frames, the last one empty", () => {
  const { presence, seen, come } = openPresence();
  const crowd = Array.from({ length: 1000 }, (_, index) => come(`cli_${index}`));
  expect(seen).toHaveLength(50);
  expect(seen.at(-1)!.clients).toHaveLength(50);
  // The last clients to arrive leave first; they are not named.
  for (const here of crowd.slice(50)) here.abort();
  expect(seen).toHaveLength(50);
  for (const here of crowd.slice(0, 50)) here.abort();
  expect(seen).toHaveLength(100);
  expect(JSON.parse(presence.frame.json)).toMatchObject({ clients: [], answerable: false });
});

test("when a named client leaves, the next one is named", () => {
  const { seen, come } = openPresence();
  const [first] = Array.from({ length: 51 }, (_, index) => come(`cli_${index}`));
  first!.abort();
  expect(seen.at(-1)!.clients).toHaveLength(50);
  expect(seen.at(-1)!.clients.at(-1)).toMatchObject({ clientId: "cli_50" });
});

test("[R-13] clients that may not answer are named first", () => {
  const { presence, seen, come } = openPresence();
  for (let index = 0; index < 1000; index += 1) come(`cli_${index}`);
  presence.setEnabled(ada, "cli_777", false);
  presence.setEnabled(ada, "cli_gone", false);
  expect(seen.at(-1)!.clients).toHaveLength(50);
  expect(seen.at(-1)!.clients[0]).toMatchObject({ clientId: "cli_777", interactionEnabled: false });
});

test("[R-13] everyone is notified when the last client that may answer leaves, even an unnamed one", () => {
  const { presence, seen, come } = openPresence();
  for (let index = 0; index < 60; index += 1) {
    presence.setEnabled(ada, `cli_${index}`, false);
    come(`cli_${index}`);
  }
  expect(seen.at(-1)).toMatchObject({ answerable: false });
  const last = come("cli_last");
  expect(seen.at(-1)).toMatchObject({ answerable: true });
  last.abort();
  expect(seen.at(-1)).toMatchObject({ answerable: false });
});

test("[R-13] a caller without a client id may answer only while every client of its credential may", () => {
  const { presence } = openPresence();
  const phone = { ...ada, clientId: "cli_phone", tokenId: "tok_1" };
  const nameless = { ...ada, tokenId: "tok_1" };
  const { signal } = new AbortController();
  presence.announce(phone, { signal });
  presence.announce({ ...ada, clientId: "cli_desk", tokenId: "tok_2" }, { signal });
  expect([phone, nameless, ada].map((caller) => presence.mayAnswer(caller))).not.toContain(false);
  // Another device switches it off: it is the phone's credential that counts.
  presence.setEnabled({ ...ada, clientId: "cli_desk", tokenId: "tok_2" }, "cli_phone", false);
  expect(presence.mayAnswer(nameless)).toBe(false);
  expect(presence.mayAnswer({ ...ada, tokenId: "tok_2" })).toBe(true);
  expect(presence.mayAnswer(ada)).toBe(true);
  // It signs in once more.
  presence.announce({ ...phone, tokenId: "tok_3" }, { signal });
  expect(presence.mayAnswer({ ...ada, tokenId: "tok_3" })).toBe(false);
  presence.setEnabled(phone, "cli_phone", true);
  expect(presence.mayAnswer({ ...ada, tokenId: "tok_3" })).toBe(true);
});

test("[R-13] a client that cannot show interactions may not answer until it says that it can", () => {
  const { presence, seen } = openPresence();
  const blind = { ...ada, clientId: "cli_1" };
  const { signal } = new AbortController();
  presence.announce(blind, { signal, supportsInteraction: false });
  for (const enabled of [true, false, true]) {
    presence.setEnabled(blind, "cli_1", enabled);
    expect(presence.mayAnswer(blind)).toBe(false);
  }
  expect(seen.at(-1)).toMatchObject({
    clients: [{ interactionEnabled: false }],
    answerable: false,
  });
  presence.announce(blind, { signal });
  expect(presence.mayAnswer(blind)).toBe(false);
  presence.announce(blind, { signal, supportsInteraction: true });
  expect(presence.mayAnswer(blind)).toBe(true);
});

test("a device is looking as long as one of its pages is in view", () => {
  const { presence } = openPresence();
  const [first, second, other] = [1, 2, 3].map(() => new AbortController());
  const device = { ...ada, tokenId: "tok_1" };
  presence.look(device, { signal: first!.signal });
  presence.look(device, { signal: second!.signal });
  presence.look({ ...ada, clientId: "cli_1" }, { signal: other!.signal });
  expect(presence.isLooking("tok_1")).toBe(true);
  expect(presence.isLooking("tok_2")).toBe(false);
  first!.abort();
  expect(presence.isLooking("tok_1")).toBe(true);
  second!.abort();
  expect(presence.isLooking("tok_1")).toBe(false);
});

test("[R-13] a person cannot switch another person's client on or off, even by its name", () => {
  const presence = new Presence({ onChange: () => undefined });
  const { signal } = new AbortController();
  const maria = { ...ada, person: "Maria", personId: "per_1", clientId: "cli_1", tokenId: "tok_1" };
  const eve = { ...maria, person: "Maria", personId: "per_2", tokenId: "tok_2" };
  presence.announce(maria, { signal });
  presence.announce(eve, { signal });
  presence.setEnabled(eve, "cli_1", false);
  expect([maria, eve].map((caller) => presence.mayAnswer(caller))).toEqual([true, false]);
  // A page finds itself by both.
  expect(JSON.parse(presence.frame.json)).toMatchObject({
    clients: [
      { clientId: "cli_1", personId: "per_2", interactionEnabled: false },
      { clientId: "cli_1", personId: "per_1", interactionEnabled: true },
    ],
  });
  presence.setEnabled(maria, "cli_1", false);
  presence.setEnabled(eve, "cli_1", true);
  expect([maria, eve].map((caller) => presence.mayAnswer(caller))).toEqual([false, true]);
});

test("[R-13] [R-20] however many clients one person switches off, other people's stay as they are", () => {
  const { presence } = openPresence();
  presence.setEnabled(ada, "cli_off", false);
  const eve: Caller = { ...ada, person: "Eve", personId: "per_eve" };
  for (let index = 0; index < 10_001; index += 1) presence.setEnabled(eve, `cli_${index}`, false);
  expect(presence.mayAnswer({ ...ada, clientId: "cli_off" })).toBe(false);
  expect(presence.mayAnswer({ ...eve, clientId: "cli_10000" })).toBe(false);
});

test("a person's frames have only their own clients, and come again when these or the answerable state change", () => {
  let changes = 0;
  const presence = new Presence({ onChange: () => (changes += 1) });
  const eve: Caller = { ...ada, person: "Eve", personId: "per_eve", role: "responder" };
  const vera: Caller = { ...ada, person: "Vera", personId: "per_vera", role: "viewer" };
  const own = () => JSON.parse(presence.ownFrameOf("per_eve").json) as PresenceFrame;
  expect(own()).toMatchObject({ clients: [], answerable: false });
  const here = new AbortController();
  // Beyond the limit of clients that are named to everyone.
  for (let index = 0; index < 60; index += 1) {
    presence.announce({ ...vera, clientId: `cli_${index}` }, here);
  }
  const first = presence.ownFrameOf("per_eve");
  expect(presence.ownFrameOf("per_eve")).toBe(first);
  changes = 0;
  presence.announce({ ...eve, clientId: "cli_eve" }, here);
  expect([own().clients.map(({ clientId }) => clientId), own().answerable, changes]).toEqual([
    ["cli_eve"],
    true,
    1,
  ]);
  presence.setEnabled(eve, "cli_eve", false);
  expect(own()).toMatchObject({ clients: [{ interactionEnabled: false }], answerable: false });
  here.abort();
  expect(own()).toMatchObject({ clients: [], answerable: false });
});
