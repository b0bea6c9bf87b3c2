import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import { InteractionRecords } from "./interaction-records.ts";

const at = "2026-01-01T00:00:00.000Z";
const byOf = (person: string) => ({ person, personId: `per_${person}`, client: "phone", at });

test("an export names everyone who approved, and each vote and comment with its time", () => {
  const records = new InteractionRecords({ sessionId: "ses_1", agent: "demo" });
  const responders = { circles: [], need: 2 };
  const interaction = sampleInteraction({ interactionId: "int_1", responders });
  const ids = { interactionId: "int_1", turnId: "trn_1", at };
  const events = [
    { type: "interaction_request", ...ids, interaction },
    { type: "interaction_vote", ...ids, by: byOf("ada"), digest: "d", votesGiven: 1 },
    {
      type: "interaction_note",
      ...ids,
      by: byOf("eve"),
      note: { type: "comment", text: "Which one?" },
      notesGiven: 1,
    },
    {
      type: "interaction_note",
      ...ids,
      by: { person: "Holdpoint", client: "gateway", at },
      note: { type: "hand_over", to: { person: "per_bob", issuer: "i" }, back: true },
      notesGiven: 2,
    },
    { type: "interaction_response", ...ids, action: "approve", by: byOf("bob") },
  ];
  const lines = events.flatMap((event, index) =>
    records.add({ hash: "h", json: JSON.stringify({ seq: index + 1, ...event }) }),
  );
  const [record] = [...lines, ...records.end()].map((line) => JSON.parse(line) as object);
  expect(record).toMatchObject({
    responders,
    votes: [{ person: "ada" }, { person: "bob" }],
    by: { person: "bob" },
    steps: [
      { what: "voted yes", by: { person: "ada" } },
      { what: "commented", by: { person: "eve" }, text: "Which one?" },
      { what: "given back", by: { person: "Holdpoint" }, to: { person: "per_bob" } },
      { what: "answered", by: { person: "bob" } },
    ],
  });
});
