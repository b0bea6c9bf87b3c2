import type { Caller } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Presence } from "./presence.ts";

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
    const caller: Caller = { principal: "person", person: "Ada", client: "laptop", clientId };
    presence.announce(caller, { signal: here.signal });
    return here;
  };
  return { presence, seen, come };
}

test("[R-20] a thousand who come and go are told in few and small frames, the last of them empty", () => {
  const { presence, seen, come } = openPresence();
  const crowd = Array.from({ length: 1000 }, (_, index) => come(`cli_${index}`));
  expect(seen).toHaveLength(50);
  expect(seen.at(-1)!.clients).toHaveLength(50);
  // The last who came leave first, unnamed.
  for (const here of crowd.slice(50)) here.abort();
  expect(seen).toHaveLength(50);
  for (const here of crowd.slice(0, 50)) here.abort();
  expect(seen).toHaveLength(100);
  expect(JSON.parse(presence.frame.json)).toMatchObject({ clients: [], answerable: false });
});

test("when somebody who is named leaves, the next one is", () => {
  const { seen, come } = openPresence();
  const [first] = Array.from({ length: 51 }, (_, index) => come(`cli_${index}`));
  first!.abort();
  expect(seen.at(-1)!.clients).toHaveLength(50);
  expect(seen.at(-1)!.clients.at(-1)).toMatchObject({ clientId: "cli_50" });
});

test("[R-13] those that may not answer are named first", () => {
  const { presence, seen, come } = openPresence();
  for (let index = 0; index < 1000; index += 1) come(`cli_${index}`);
  presence.setEnabled("cli_777", false);
  presence.setEnabled("cli_gone", false);
  expect(seen.at(-1)!.clients).toHaveLength(50);
  expect(seen.at(-1)!.clients[0]).toMatchObject({ clientId: "cli_777", interactionEnabled: false });
});

test("[R-13] with the last one who may answer beyond those that are named, everybody is told", () => {
  const { presence, seen, come } = openPresence();
  for (let index = 0; index < 60; index += 1) {
    presence.setEnabled(`cli_${index}`, false);
    come(`cli_${index}`);
  }
  expect(seen.at(-1)).toMatchObject({ answerable: false });
  const last = come("cli_last");
  expect(seen.at(-1)).toMatchObject({ answerable: true });
  last.abort();
  expect(seen.at(-1)).toMatchObject({ answerable: false });
});
