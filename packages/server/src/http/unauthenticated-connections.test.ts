import { EventEmitter } from "node:events";

import { CONNECTION_LIMITS } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import {
  UnauthenticatedConnections,
  type UnauthenticatedSocket,
} from "./unauthenticated-connections.ts";

const {
  strangers: MOST,
  strangersPerSource: MOST_OF_SOURCE,
  strangersOfAnyAge: MOST_OF_ANY_AGE,
  newMs: NEW_MS,
} = CONNECTION_LIMITS;

/** Opens connections one after the other, and returns the numbers of the ended ones. */
function connectMany(
  count: number,
  addressOf: (index: number) => string,
  apartMs: number = NEW_MS,
) {
  let nowMs = 0;
  const strangers = new UnauthenticatedConnections({ monotonic: () => nowMs });
  const ended: number[] = [];
  const sockets = Array.from({ length: count }, (_, index) => {
    const emitter = new EventEmitter();
    const socket = Object.assign(emitter, {
      remoteAddress: addressOf(index),
      destroy: () => {
        ended.push(index);
        emitter.emit("close");
      },
    }) as unknown as UnauthenticatedSocket & EventEmitter;
    nowMs += apartMs;
    strangers.add(socket);
    return socket;
  });
  return { strangers, ended, sockets };
}

describe("[R-20] connections without a credential", () => {
  test("are few from one address, and the oldest one ends first", () => {
    const { strangers, ended } = connectMany(MOST_OF_SOURCE + 3, () => "192.0.2.1");
    expect(ended).toEqual([0, 1, 2]);
    expect(strangers.size).toBe(MOST_OF_SOURCE);
  });

  test("are counted together for one IPv6 host", () => {
    const address = (index: number): string => `2001:db8:1:2::${index.toString(16)}`;
    expect(connectMany(MOST_OF_SOURCE + 1, address).ended).toEqual([0]);
  });

  test("are few in total, and the oldest one ends first", () => {
    const { strangers, ended } = connectMany(MOST + 2, (index) => `192.0.${index % 250}.1`);
    expect(ended).toEqual([0, 1]);
    expect(strangers.size).toBe(MOST);
  });

  test("have a moment to show one, however many come at once", () => {
    const atOnce = connectMany(MOST_OF_ANY_AGE + 1, () => "192.0.2.1", 0);
    expect(atOnce.ended).toEqual([0]);
    const quickly = connectMany(MOST_OF_SOURCE + 10, () => "192.0.2.1", NEW_MS / MOST_OF_SOURCE);
    expect(quickly.ended).toEqual([...Array(10).keys()]);
  });

  test("no longer count after showing one or closing", () => {
    const { strangers, ended, sockets } = connectMany(MOST_OF_SOURCE, () => "192.0.2.1");
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) strangers.know(socket);
      else socket.emit("close");
    }
    expect(strangers.size).toBe(0);
    expect(ended).toEqual([]);
  });
});
