import { describe, expect, test } from "vitest";

import { Conversation } from "./conversation.ts";

const toLine = (fields: object): Buffer => Buffer.from(`${JSON.stringify(fields)}\n`);
const texts = (lines: readonly Buffer[]): string[] => lines.map((line) => line.toString());
const said = (uuid: string) => toLine({ type: "assistant", uuid });
const asked = (id: string, subtype = "can_use_tool") =>
  toLine({ type: "control_request", request_id: id, request: { subtype } });
const answered = (id: string) =>
  toLine({ type: "control_response", response: { subtype: "success", request_id: id } });
const initialize = (id: string) => asked(id, "initialize");

/** A conversation that a gateway has opened. */
function open(): Conversation {
  const conversation = new Conversation();
  conversation.fromGateway(initialize("i1"));
  conversation.fromAgent(answered("i1"));
  return conversation;
}

describe("[R-8] the replay for the next gateway", () => {
  test("contains everything that no gateway has stored, in order", () => {
    const conversation = open();
    const lines = ["m1", "m2", "m3"].map(said);
    for (const line of lines) conversation.fromAgent(line);
    expect(texts(conversation.begin())).toEqual(texts(lines));
    expect(conversation.replayedIds).toEqual(["m1", "m2", "m3"]);
  });

  test("omits stored messages, and the kept bytes are counted", () => {
    const conversation = open();
    for (const id of ["m1", "m2", "m3"]) conversation.fromAgent(said(id));
    conversation.settle("m2");
    expect(texts(conversation.begin())).toEqual(texts([said("m3")]));
    expect(conversation.keptBytes).toBe(said("m3").byteLength);
    conversation.settle("m3");
    expect(conversation.begin()).toEqual([]);
    expect(conversation.keptBytes).toBe(0);
  });

  test("contains no growing text and no request", () => {
    const conversation = open();
    conversation.fromAgent(toLine({ type: "stream_event", uuid: "growing" }));
    conversation.fromAgent(asked("r1"));
    expect(conversation.begin()).toEqual([]);
  });
});

describe("[R-4] a request of the agent", () => {
  test("comes again when the next gateway initializes as the last one did, without involving the agent", () => {
    const conversation = open();
    conversation.fromAgent(asked("r1"));
    conversation.begin();
    const { toAgent, toGateway } = conversation.fromGateway(initialize("i2"));
    expect(toAgent).toEqual([]);
    expect(texts(toGateway)).toEqual(texts([answered("i2"), asked("r1")]));
  });

  test("does not come again once it is answered or cancelled", () => {
    const conversation = open();
    for (const id of ["r1", "r2", "r3"]) conversation.fromAgent(asked(id));
    conversation.fromGateway(answered("r1"));
    conversation.fromAgent(toLine({ type: "control_cancel_request", request_id: "r2" }));
    conversation.begin();
    const { toGateway } = conversation.fromGateway(initialize("i2"));
    expect(texts(toGateway)).toEqual(texts([answered("i2"), asked("r3")]));
    expect(conversation.answeredRequestIds).toEqual(["r1"]);
  });
});
