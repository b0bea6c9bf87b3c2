import type { Person } from "@holdpoint/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

import { beginSignIn, bringBack, toDevice } from "../testing/issuer-sign-in.ts";
import { openWelcomed } from "../testing/open-socket.ts";
import { readStream } from "../testing/read-stream.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import {
  codeOf,
  createKeyedDevice,
  exchange,
  signIn,
  type TestDevice,
} from "../testing/test-device.ts";
import { openTestIssuer, type TestIssuer } from "../testing/test-issuer.ts";
import type { Admission, IssuerOptions } from "./people-options.ts";

const KEY = new Uint8Array(32).fill(7);
/** They sort before the groups in the config. */
const MANY_GROUPS = Array.from({ length: 300 }, (_, index) => `a${index}`);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

type Place = Awaited<ReturnType<typeof openPlace>>;

/** A gateway with its issuer `home`, and further issuers. */
async function openPlace({
  admit = [{ subject: "maria", role: "responder" }],
  others = [],
  publicUrl,
  ...more
}: {
  admit?: readonly Admission[];
  others?: readonly IssuerOptions[];
  maxAgeDays?: number;
  groups?: readonly string[];
  publicUrl?: string;
} = {}) {
  const issuer = await openTestIssuer();
  onTestFinished(() => issuer[Symbol.asyncDispose]());
  const home = {
    id: "home",
    issuer: issuer.url,
    clientId: "gateway",
    clientSecret: "s".repeat(32),
  };
  const people = { issuers: [{ ...home, admit }, ...others], key: KEY, ...more };
  const served = await serveEngine(undefined, {
    people,
    personName: "ada",
    ...(publicUrl !== undefined && { publicUrl }),
  });
  onTestFinished(() => served[Symbol.asyncDispose]());
  return { issuer, served };
}

/** The whole way in; resolves to the device. */
async function comeIn(
  { served, issuer }: { served: Place["served"]; issuer: TestIssuer },
  subject = "maria",
  issuerId = "home",
) {
  const { browser, url } = await beginSignIn(served, issuerId);
  const answer = issuer.confirm(url, subject);
  return toDevice(served, browser, await bringBack(served, browser, { issuerId, answer }));
}

test("under a path the browser returns to its starting page, and the sign-in ends only there", async () => {
  const { issuer, served } = await openPlace({ publicUrl: "https://example.org/holdpoint" });
  const page = { ...served, url: `${served.url}/holdpoint` };
  const { browser, url } = await beginSignIn(page, "home");
  const comesBackTo = new URL(url).searchParams.get("redirect_uri");
  expect(comesBackTo).toBe(`${served.url}/holdpoint/signed-in/home`);
  const body = { issuerId: "home", answer: issuer.confirm(url, "maria") };
  const elsewhere = createKeyedDevice(served, browser);
  expect((await bringBack(served, elsewhere, body)).status).toBe(401);
  const device = await toDevice(page, browser, await bringBack(page, browser, body));
  expect(device.person).toBe("maria");
});

const personOf = async (device: TestDevice): Promise<Person> =>
  (await (await device.call("/api/person")).json()) as Person;

/** The result: the status, and the code of a problem. */
async function resultOf(answer: Response): Promise<string> {
  const { code = "" } = (await answer.json()) as { code?: string };
  return `${answer.status} ${code}`.trim();
}

describe("a person who signs in at an issuer", () => {
  test("gets a device with their name and the role of the config", async () => {
    const place = await openPlace();
    place.issuer.claims = { name: "Maria Lopez" };
    const device = await comeIn(place);
    expect(await personOf(device)).toEqual({
      person: "Maria Lopez (maria)",
      personId: expect.stringMatching(/^per_[\w-]{43}$/) as string,
      role: "responder",
      signInEndsAt: new Date(place.served.clock.now() + 7 * DAY_MS).toISOString(),
      signIn: { issuer: `${place.issuer.url}/`, subject: "maria", groups: [] },
    });
    const listed = (await (await device.call("/api/devices")).json()) as { items: object[] };
    expect(listed.items).toHaveLength(1);
  });

  test("is the same person on each device, and another one at another issuer", async () => {
    const other = await openTestIssuer();
    onTestFinished(() => other[Symbol.asyncDispose]());
    const admit = [{ subject: "maria", role: "viewer" }] as const;
    const there = { id: "there", issuer: other.url, clientId: "gateway", admit };
    const place = await openPlace({ others: [there] });
    const [first, second] = [await comeIn(place), await comeIn(place)];
    const elsewhere = await comeIn({ ...place, issuer: other }, "maria", "there");
    const [one, two, three] = await Promise.all([first, second, elsewhere].map(personOf));
    expect(two?.personId).toBe(one?.personId);
    expect(three?.personId).not.toBe(one?.personId);
    expect(three?.role).toBe("viewer");
  });

  test("is refused unless the config admits them", async () => {
    const { served, issuer } = await openPlace();
    const { browser, url } = await beginSignIn(served, "home");
    const answer = issuer.confirm(url, "mallory");
    const result = await bringBack(served, browser, { issuerId: "home", answer });
    expect(await resultOf(result)).toBe("403 NOT_ADMITTED");
    expect((await served.credentials.list()).filter(({ kind }) => kind === "device")).toEqual([]);
  });

  test.each([
    ["the highest role that fits", { groups: ["ops", "all"] }, "owner"],
    ["a group", { groups: ["all"] }, "viewer"],
    ["one group that is no list", { groups: "ops" }, "owner"],
    ["a verified address", { email: "Maria@Example.org", email_verified: true }, "responder"],
    ["an address that is not verified", { email: "maria@example.org", email_verified: false }, ""],
    ["an address of unknown verification", { email: "maria@example.org" }, ""],
    ["a text instead of a boolean", { email: "maria@example.org", email_verified: "true" }, ""],
    ["letters of another script", { email: "maria@example.or\u{1d420}", email_verified: true }, ""],
    ["another person's groups", { groups: [["ops"], { ops: true }, "Ops", "ops "] }, ""],
    ["groups in another claim", { roles: ["ops"] }, ""],
    ["one of very many groups", { groups: [...MANY_GROUPS, "ops"] }, "owner"],
  ])("is admitted by %s, or not", async (_, claims, role) => {
    const admit: Admission[] = [
      { group: "all", role: "viewer" },
      { email: "maria@example.org", role: "responder" },
      { group: "ops", role: "owner" },
    ];
    const place = await openPlace({ admit });
    place.issuer.claims = claims;
    const came = await comeIn(place)
      .then(personOf)
      .then(
        (person) => person.role,
        (error: unknown) => (String(error).includes("NOT_ADMITTED") ? "" : error),
      );
    expect(came).toBe(role);
  });

  test("keeps, of very many groups, those that the config uses", async () => {
    const place = await openPlace({ groups: ["zz-release"] });
    place.issuer.claims = { groups: [...MANY_GROUPS, "zz-release"] };
    const { signIn: said } = await personOf(await comeIn(place));
    expect(said?.groups).toContain("zz-release");
    expect(said?.groups).toHaveLength(200);
  });

  test("needs an address and its verification from one place, never half from each", async () => {
    const place = await openPlace({ admit: [{ email: "maria@example.org", role: "owner" }] });
    const { issuer } = place;
    issuer.metadata = { userinfo_endpoint: `${issuer.url}/me` };
    issuer.claims = { email: "maria@example.org" };
    issuer.userinfo = { sub: "maria", email: "mallory@example.org", email_verified: true };
    await expect(comeIn(place)).rejects.toThrow("NOT_ADMITTED");
    issuer.claims = {};
    issuer.userinfo = { sub: "someone else", email: "maria@example.org", email_verified: true };
    await expect(comeIn(place)).rejects.toThrow("UNAUTHENTICATED");
    issuer.userinfo = { sub: "maria", email: "maria@example.org", email_verified: true };
    expect((await personOf(await comeIn(place))).role).toBe("owner");
  });

  test("is never admitted by another issuer's claims", async () => {
    const other = await openTestIssuer();
    onTestFinished(() => other[Symbol.asyncDispose]());
    const there = { id: "there", issuer: other.url, clientId: "gateway" };
    const admit: Admission[] = [
      { email: "maria@example.org", role: "owner" },
      { group: "ops", role: "owner" },
      { subject: "maria", role: "owner" },
    ];
    const place = await openPlace({ admit, others: [there] });
    other.claims = { email: "maria@example.org", email_verified: true, groups: ["ops"] };
    await expect(comeIn({ ...place, issuer: other }, "maria", "there")).rejects.toThrow(
      "NOT_ADMITTED",
    );
  });

  test("gets a name that includes the issuer's verified one, so that no one is mistaken for another", async () => {
    const admit: Admission[] = [{ group: "all", role: "viewer" }];
    const place = await openPlace({ admit });
    const named = async (subject: string, name: string) => {
      place.issuer.claims = { name, groups: ["all"] };
      return (await comeIn(place, subject)).person;
    };
    expect(await named("one", "Maria")).toBe("Maria (one)");
    expect(await named("two", "Maria")).toBe("Maria (two)");
    expect(await named("two", "Maria (one)")).toBe("Maria (one) (two)");
    // One letter of another script is marked.
    expect(await named("two", "M\u0430ria")).toBe("M[\u0430 U+0430]ria (two)");
    expect(await named("three", "x".repeat(200))).toBe(`${"x".repeat(60)} (three)`);
    expect(await named("four", "Eve\u202E\n\u200B Mallory")).toBe("Eve Mallory (four)");
    expect(await named("five", "five")).toBe("five");
  });
});

describe("a sign-in", () => {
  test("ends only in the browser that began it", async () => {
    const { served, issuer } = await openPlace();
    const begun = await beginSignIn(served, "home");
    const body = { issuerId: "home", answer: issuer.confirm(begun.url, "maria") };
    const other = createKeyedDevice(served);
    expect(await resultOf(await bringBack(served, other, body))).toBe("401 UNAUTHENTICATED");
    // The attacker's key has not used up anything.
    expect((await bringBack(served, begun.browser, body)).status).toBe(200);
  });

  test("ends once, even if it is brought back twice at the same instant", async () => {
    const { served, issuer } = await openPlace();
    const { browser, url } = await beginSignIn(served, "home");
    const body = { issuerId: "home", answer: issuer.confirm(url, "maria") };
    const both = await Promise.all([0, 1].map(() => bringBack(served, browser, body)));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401,
    ]);
    expect((await bringBack(served, browser, body)).status).toBe(401);
    expect(issuer.paths.filter((path) => path === "/token")).toHaveLength(1);
  });

  test("ends within ten minutes", async () => {
    const { served, issuer } = await openPlace();
    const { browser, url } = await beginSignIn(served, "home");
    const body = { issuerId: "home", answer: issuer.confirm(url, "maria") };
    await served.clock.advance(10 * 60_000);
    expect((await bringBack(served, browser, body)).status).toBe(401);
    expect(issuer.paths).not.toContain("/token");
  });

  test("accepts no answer of one issuer in place of another's", async () => {
    const evil = await openTestIssuer();
    onTestFinished(() => evil[Symbol.asyncDispose]());
    const { served, issuer } = await openPlace({
      others: [{ id: "evil", issuer: evil.url, clientId: "gateway" }],
    });
    const { browser, url } = await beginSignIn(served, "evil");
    // The malicious issuer redirects the browser to the honest one, to get its code.
    const answer = issuer.confirm(url, "maria");
    for (const issuerId of ["home", "evil"]) {
      const result = await bringBack(served, browser, { issuerId, answer });
      expect(result.status).toBe(401);
    }
    expect(evil.paths).not.toContain("/token");
    expect(issuer.paths).not.toContain("/token");
  });

  test.each([
    ["a changed state", (answer: string) => answer.replace(/state=./, "state=_")],
    ["no state", (answer: string) => answer.replace("state=", "other=")],
    ["two states", (answer: string) => `${answer}&state=1`],
    ["another code", (answer: string) => answer.replace(/code=[^&]+/, "code=guess")],
    ["a refusal", (answer: string) => answer.replace(/code=[^&]+/, "error=access_denied")],
    ["another issuer's name", (answer: string) => answer.replace(/iss=[^&]+/, "iss=https://x.org")],
    ["no issuer's name", (answer: string) => answer.replace(/iss=[^&]+/, "")],
    ["a statement next to the code", (answer: string) => `${answer}&id_token=e30.e30.`],
  ])("is refused with %s", async (_, change) => {
    const { served, issuer } = await openPlace();
    const { browser, url } = await beginSignIn(served, "home");
    const answer = change(issuer.confirm(url, "maria"));
    const result = await bringBack(served, browser, { issuerId: "home", answer });
    expect(await resultOf(result)).toBe("401 UNAUTHENTICATED");
  });

  const nowS = Math.floor(Date.now() / 1000);
  test.each([
    ["for another client", { aud: "someone else" }],
    ["for two clients", { aud: ["gateway", "other"], azp: "other" }],
    ["for one audience and another authorized party", { azp: "other" }],
    ["for an empty authorized party", { azp: "" }],
    ["for an authorized party that is no text", { azp: ["gateway"] }],
    ["that is issued later", { iat: nowS + 3600, exp: nowS + 7200 }],
    ["of another issuer", { iss: "https://login.example.org" }],
    ["of another sign-in", { nonce: "another" }],
    ["of no sign-in", { nonce: undefined }],
    ["that is over", { exp: nowS - 3600 }],
    ["that begins later", { nbf: nowS + 3600 }],
    ["without a person", { sub: undefined }],
    ["with an empty person", { sub: "" }],
  ])("is refused with a statement %s", async (_, claims) => {
    const place = await openPlace();
    place.issuer.claims = claims;
    await expect(comeIn(place)).rejects.toThrow("UNAUTHENTICATED");
  });

  test("is refused with a statement that the issuer has not signed", async () => {
    const place = await openPlace();
    place.issuer.forge();
    await expect(comeIn(place)).rejects.toThrow("UNAUTHENTICATED");
  });

  test("succeeds when the issuer's clock is half a minute wrong, or its keys are new", async () => {
    const place = await openPlace();
    place.issuer.claims = { iat: nowS + 30, nbf: nowS + 30, azp: "gateway" };
    const before = await personOf(await comeIn(place));
    place.issuer.rotate();
    expect(await personOf(await comeIn(place))).toEqual(before);
  });

  test.each([
    ["javascript:alert(1)//"],
    ["data:text/html,"],
    ["http://login.example.org/authorize"],
  ])("leads to no page at %s", async (authorizationEndpoint) => {
    const { served, issuer } = await openPlace();
    issuer.metadata = { authorization_endpoint: authorizationEndpoint };
    await expect(beginSignIn(served, "home")).rejects.toThrow("ISSUER_UNAVAILABLE");
  });

  test("fails while the issuer is unreachable, and a launch link still signs in", async () => {
    const place = await openPlace();
    const { served, issuer } = place;
    issuer.isDown = true;
    await expect(beginSignIn(served, "home")).rejects.toThrow("ISSUER_UNAVAILABLE");
    expect((await personOf(await signIn(served))).role).toBe("owner");
    issuer.isDown = false;
    await comeIn(place);
  });

  test("asks the issuer for its configuration once, however many begin", async () => {
    const { served, issuer } = await openPlace();
    await Promise.all(Array.from({ length: 20 }, () => beginSignIn(served, "home")));
    expect(issuer.paths).toEqual(["/.well-known/openid-configuration"]);
  });
});

describe("an issuer's claims about a person", () => {
  test("are valid for a week, and each sign-in renews them for all of the person's devices", async () => {
    const place = await openPlace();
    const phone = await comeIn(place);
    await place.served.clock.advance(6 * DAY_MS);
    const laptop = await comeIn(place);
    expect((await personOf(phone)).signInEndsAt).toBe((await personOf(laptop)).signInEndsAt);
    await place.served.clock.advance(6 * DAY_MS);
    expect((await phone.call("/api/person")).status).toBe(200);
    await place.served.clock.advance(2 * DAY_MS);
    for (const device of [phone, laptop]) {
      expect((await device.call("/api/person")).status).toBe(401);
    }
  });

  test("[R-13] end open streams at the moment they expire, unless they were renewed", async () => {
    const place = await openPlace({ maxAgeDays: 1 / 24 });
    const { served } = place;
    const { call, prove, token } = await comeIn(place);
    await served.clock.advance(50 * MINUTE_MS);
    const stream = readStream(await call("/api/events"));
    const socket = await openWelcomed(served, { token, proof: await prove({ path: "/api/ws" }) });
    const owner = readStream(await served.call("/api/events"));
    // For an hour from now on.
    await comeIn(place);
    let isOver = false;
    void socket.closed.then(() => (isOver = true));
    await served.clock.advance(59 * MINUTE_MS);
    expect((await call("/api/person")).status).toBe(200);
    expect(isOver).toBe(false);
    await served.clock.advance(MINUTE_MS);
    expect(await socket.closed).toMatchObject({ reason: "CREDENTIAL_ENDED" });
    expect((await stream.take(1000)).at(-1)?.data).toEqual({
      type: "closing",
      reason: "credential_ended",
    });
    // A page first asks over its WebSocket, and shows the result of the next request.
    for (const _ of ["first", "next"]) {
      expect(await resultOf(await call("/api/person"))).toBe("401 CREDENTIAL_ENDED");
    }
    // No issuer makes claims about the owner.
    await owner.take(1);
    await owner.leave();
  });

  test("end the browser's previous device, and no one else's", async () => {
    const admit = ["maria", "vera"].map((subject) => ({ subject, role: "responder" }) as const);
    const place = await openPlace({ admit });
    const { served, issuer } = place;
    const [before, other] = [await comeIn(place), await comeIn(place, "vera")];
    for (const replaces of [other.tokenId, "tok_unknown", before.tokenId]) {
      const { browser, url } = await beginSignIn(served, "home");
      const answer = issuer.confirm(url, "maria");
      const brought = await bringBack(served, browser, { issuerId: "home", answer, replaces });
      expect(brought.status).toBe(200);
    }
    expect((await other.call("/api/person")).status).toBe(200);
    expect((await before.call("/api/person")).status).toBe(401);
  });

  test("take rights away on all of the person's devices when they become fewer", async () => {
    const admit: Admission[] = [
      { group: "ops", role: "owner" },
      { group: "all", role: "viewer" },
    ];
    const place = await openPlace({ admit });
    place.issuer.claims = { groups: ["ops", "all"] };
    const phone = await comeIn(place);
    expect((await personOf(phone)).role).toBe("owner");
    place.issuer.claims = { groups: ["all"] };
    await comeIn(place);
    expect((await personOf(phone)).role).toBe("viewer");
    place.issuer.claims = {};
    await expect(comeIn(place)).rejects.toThrow("NOT_ADMITTED");
    expect(await resultOf(await phone.call("/api/person"))).toBe("401 UNAUTHENTICATED");
  });

  test("are ignored once the config no longer admits the person", async () => {
    const place = await openPlace();
    await comeIn(place);
    const [before] = (await place.served.credentials.list()).filter(({ signIn: said }) => said);
    // The next gateway, whose config no longer names her, with the same credentials.
    const next = await openPlace({ admit: [{ subject: "someone else", role: "viewer" }] });
    await next.served.credentials.add({ ...before!, tokenId: "tok_kept", tokenHash: "h" });
    const listed = async () => (await next.served.credentials.list()).map(({ tokenId }) => tokenId);
    expect(await listed()).toContain("tok_kept");
    await next.served.server.close();
    await next.served.server.listen({ host: "127.0.0.1", port: 0 });
    expect(await listed()).not.toContain("tok_kept");
  });

  test("are passed on to devices and programs that the person creates", async () => {
    const place = await openPlace({ admit: [{ subject: "maria", role: "owner" }] });
    const { served } = place;
    const device = await comeIn(place);
    const { personId } = await personOf(device);
    const paired = (await (await device.call("/api/pairings", { method: "POST" })).json()) as {
      code: string;
    };
    await exchange(served, paired.code);
    const body = { label: "Script", scope: "respond", expiresInDays: 300 };
    await device.call("/api/program-tokens", { method: "POST", body });
    await device.call("/api/agent-tokens", { method: "POST", body: { label: "Robot" } });
    const own = (await served.credentials.list()).filter((each) => each.personId === personId);
    expect(own.map(({ kind }) => kind).toSorted()).toEqual([
      "agent",
      "device",
      "device",
      "program",
    ]);
    expect(new Set(own.map(({ signIn: said }) => said?.subject))).toEqual(new Set(["maria"]));
  });

  test("are current when a pairing code is used, and not from when the code was made", async () => {
    const admit: Admission[] = [
      { group: "ops", role: "owner" },
      { group: "all", role: "viewer" },
    ];
    const place = await openPlace({ admit });
    place.issuer.claims = { groups: ["ops", "all"] };
    const device = await comeIn(place);
    const [first, second] = await Promise.all(
      [1, 2].map(async () => {
        const answer = await device.call("/api/pairings", { method: "POST" });
        return ((await answer.json()) as { code: string }).code;
      }),
    );
    place.issuer.claims = { groups: ["all"] };
    await comeIn(place);
    expect((await exchange(place.served, first!)).status).toBe(200);
    const signIns = async () =>
      (await place.served.credentials.list()).flatMap(({ signIn: said }) => said ?? []);
    expect((await signIns()).map(({ groups }) => groups)).toEqual([["all"], ["all"], ["all"]]);
    place.issuer.claims = {};
    await expect(comeIn(place)).rejects.toThrow("NOT_ADMITTED");
    expect((await exchange(place.served, second!)).status).toBe(401);
    expect(await signIns()).toEqual([]);
  });

  test("never show a person the sessions of an owner with the same name", async () => {
    const place = await openPlace({ admit: [{ subject: "ada", role: "owner" }] });
    const owner = await signIn(place.served);
    place.issuer.claims = { name: "ada" };
    const other = await comeIn(place, "ada");
    expect((await other.call(`/api/devices/${owner.tokenId}`, { method: "DELETE" })).status).toBe(
      404,
    );
    expect((await owner.call(`/api/devices/${other.tokenId}`, { method: "DELETE" })).status).toBe(
      404,
    );
    expect(codeOf(place.served.server.createLaunchUrl())).not.toBe("");
  });
});
