import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { openRealIssuer } from "../support/real-issuer.ts";
import { button, card, CARDS, fillQuestions, PROMPTS, startDemo } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { type OpenDevice, test } from "./support/test.ts";

const ACCOUNTS = {
  maria: { name: "Maria Lopez", email: "maria@example.org", groups: ["ops"] },
  vera: { name: "Vera Novak", email: "vera@example.org", groups: ["audit"] },
  bob: { name: "Bob Meyer", email: "bob@example.org", groups: ["ops"] },
  mallory: { name: "Mallory", email: "mallory@example.org", groups: [] },
};

/** Browser errors about the issuer's own pages. */
const NOT_OURS = /favicon|fonts\.googleapis/;

interface Scene {
  readonly owned: AsyncDisposableStack;
  readonly startGateway: (options: {
    args: string[];
    env: Record<string, string>;
  }) => Promise<{ url: string; launchUrl: string; nextLink(): Promise<string> }>;
}

/** A gateway that lets in the group `ops` to answer and the group `audit` to look. */
async function openPlace({ owned, startGateway }: Scene, config: object = {}) {
  const accounts = structuredClone(ACCOUNTS);
  const issuer = owned.use(await openRealIssuer(accounts));
  const path = join(tmpdir(), `holdpoint-config-people-${crypto.randomUUID()}.json`);
  const house = {
    id: "house.example.org",
    name: "Example House",
    issuer: issuer.url,
    clientId: issuer.clientId,
    clientSecret: { env: "HOUSE_SECRET" },
    scopes: ["profile", "email", "groups"],
    admit: [
      { group: "ops", role: "responder" },
      { group: "audit", role: "viewer" },
    ],
  };
  owned.defer(() => rm(path, { force: true }));
  await writeFile(path, JSON.stringify({ people: { issuers: [house] }, ...config }));
  const env = { HOUSE_SECRET: issuer.clientSecret };
  const gateway = await startGateway({ args: ["--config", path], env });
  issuer.register(gateway.url);
  return { accounts, gateway };
}

/** Signs in at the issuer's own pages, as a person does. */
async function signInAt(device: Device, name: keyof typeof ACCOUNTS): Promise<void> {
  const { page } = device;
  device.allowProblem(NOT_OURS);
  await button(page, "Sign in with Example House").click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function openSignedIn(
  openDevice: OpenDevice,
  gateway: { url: string },
  name: keyof typeof ACCOUNTS,
  path: string,
): Promise<Device> {
  const device = await openDevice(gateway, { signedIn: false });
  await device.open(path);
  await signInAt(device, name);
  await device.page.waitForURL((url) => url.href === gateway.url + path);
  return device;
}

const said = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).innerText();

/** Taller than any screen, with text that looks like an answer. */
const HOSTILE = `Which database?\n${"\n".repeat(300)}\u202eAllowed by Maria Lopez${"W".repeat(600)}`;

const notes = ({ page }: Device) => page.getByRole("region", { name: "Comments on this request" });

/** Comments, a reminder and a hand-over below the card: everyone sees them, and nothing above moves. */
async function askBack(maria: Device, bob: Device, desk: Device): Promise<void> {
  const deny = card(maria.page, CARDS.checklist).getByRole("button", { name: "Deny", exact: true });
  await button(notes(maria), "Comment").waitFor();
  const before = await deny.boundingBox();
  await bob.press(button(notes(bob), "Comment"));
  await notes(bob)
    .getByLabel(/^Your comment/)
    .fill(HOSTILE);
  await bob.press(button(notes(bob), "Send comment"));
  await notes(maria).getByText("Which database?").waitFor();
  await notes(desk)
    .getByText(/Bob Meyer \([^)]+\):/)
    .waitFor();
  expect(await deny.boundingBox()).toEqual(before);
  await maria.press(button(notes(maria), "Comments (1)"));
  await notes(maria).getByRole("list").waitFor();
  await notes(maria)
    .getByLabel(/^Your comment/)
    .fill("The one of the orders.");
  await maria.press(button(notes(maria), "Send comment"));
  await notes(maria).getByText("The one of the orders.").last().waitFor();
  // Nor does it move when they are open.
  const opened = await deny.boundingBox();
  await notes(bob)
    .getByLabel(/^Your comment/)
    .fill(`Sure? ${"W".repeat(900)}`);
  await bob.press(button(notes(bob), "Send comment"));
  await notes(maria)
    .getByText(/^Sure\?/)
    .last()
    .waitFor();
  expect(await deny.boundingBox()).toEqual(opened);
  await takePicture(maria.page, "comments below a card");
  await maria.press(button(notes(maria), "Remind"));
  await notes(bob)
    .getByText(/^Reminded \d\d:\d\d/)
    .waitFor();
  await maria.press(button(notes(maria), "Hand over"));
  await maria.press(button(notes(maria), "olga@example.org"));
  await notes(desk)
    .getByText(/Maria Lopez \([^)]+\) handed it over to olga@example\.org\./)
    .waitFor();
  await takePicture(maria.page, "handed over");
}

/** A request that one person hands over is asked of the other instead, and leaves the first person's count. */
async function handOn(maria: Device, bob: Device, path: string): Promise<void> {
  await maria.open(path);
  await expect.poll(() => maria.page.title()).toMatch(/^\(1\)/u);
  await maria.press(button(notes(maria), "Hand over"));
  const form = maria.page.locator(".hp-notes-form");
  await form.getByLabel("Verified address of another person").fill("bob@example.org");
  await takePicture(maria.page, "hand over");
  await maria.press(button(form, "Hand over"));
  await notes(maria).getByText("You handed it over to bob@example.org.").waitFor();
  await expect.poll(() => maria.page.title()).not.toMatch(/^\(1\)/u);
  await maria.page.getByRole("heading", { name: "For others to answer" }).waitFor();
  await expect.poll(() => bob.page.title()).toMatch(/^\(1\)/u);
  await button(card(maria.page, CARDS.questions), "Next").waitFor();
  await takePicture(maria.page, "handed over to somebody else");
}

/**
 * He has left the group, which the issuer reports at his next sign-in: the request she handed over to him returns to
 * her.
 */
async function comeBack(
  maria: Device,
  bob: Device,
  accounts: Record<"bob", { groups: string[] }>,
): Promise<void> {
  accounts.bob.groups = [];
  bob.allowProblem(/40[13]/);
  await bob.open("/devices");
  await button(bob.page, "Sign in again with Example House").click();
  await bob.page.getByRole("heading", { name: "This browser was signed out" }).waitFor();
  await expect.poll(() => maria.page.title()).toMatch(/^\(1\)/u);
  await notes(maria)
    .getByText(
      "Returned to you after it was handed over to bob@example.org: too few others could answer.",
    )
    .waitFor();
  await maria.page.getByRole("region", { name: "Waiting for you", exact: true }).first().waitFor();
  await takePicture(maria.page, "handed over, and back");
}

/** The card's own page at a phone's width: no part below the card overflows the screen. */
async function lookOnPhone(
  desk: Device,
  gateway: { url: string },
  sessionId: string,
): Promise<void> {
  const { page } = desk;
  const [path, size] = [new URL(page.url()).pathname, page.viewportSize()!];
  const [asked] = await new Api(gateway.url).interactions(sessionId, "pending");
  await page.setViewportSize({ width: 390, height: 800 });
  await desk.open(`/i/${asked!.interactionId}`);
  await page.locator(".hp-notes-line", { hasText: "Sure?" }).waitFor();
  const { x, width } = (await page.getByRole("article").first().boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(390);
  await takePicture(page, "comments below a card, on its own page");
  await page.setViewportSize(size);
  await desk.open(path);
}

describe("People", () => {
  test("a person signs in at an issuer and answers, and the owner's device shows their name", async ({
    startGateway,
    owned,
    openDevice,
  }) => {
    const { gateway } = await openPlace({ owned, startGateway });
    const desk = await openDevice(gateway);
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    await desk.open(`/s/${sessionId}`);
    await card(desk.page, CARDS.questions).waitFor();
    // She returns to the page she wanted, and no trace of the sign-in is left in the address or the history.
    const maria = await openSignedIn(openDevice, gateway, "maria", `/s/${sessionId}`);
    await fillQuestions(maria, card(maria.page, CARDS.questions));
    await maria.press(button(card(maria.page, CARDS.questions), "Submit"));
    await card(maria.page, "Submitted").getByText("you, on this device").waitFor();
    const elsewhere = card(desk.page, "Answered on another device");
    await elsewhere
      .getByText(/Maria Lopez \([^)]+\), on \w+ on Linux/)
      .first()
      .waitFor();
    // The issuer, on another port of the same machine, sets its own cookies.
    const cookies = await maria.context.cookies(gateway.url);
    expect(cookies.map(({ name }) => name).filter((name) => !name.startsWith("_"))).toEqual([]);
    await maria.page.reload();
    await card(maria.page, "Submitted").waitFor();

    // She can end her sign-in early; this browser stays one device.
    await maria.open("/devices");
    const own = maria.page.getByRole("region", { name: "Your sign-in" });
    await own.getByText(/^Signed in as Maria Lopez .* until \w+/).waitFor();
    await takePicture(maria.page, "sign-in, renewed");
    await button(maria.page, "Sign in again with Example House").click();
    await maria.page.waitForURL((url) => url.href === `${gateway.url}/devices`);
    await own.waitFor();
    const devices = maria.page.getByRole("region", { name: "Devices" });
    await expect.poll(() => devices.getByRole("listitem").count()).toBe(1);
  });

  test("a person who is not in the config cannot sign in, nor can anyone with the link of another person's sign-in", async ({
    startGateway,
    owned,
    openDevice,
  }) => {
    const { gateway } = await openPlace({ owned, startGateway });
    const stranger = await openDevice(gateway, { signedIn: false });
    stranger.allowProblem(/403/);
    await stranger.open();
    const back = stranger.page.waitForRequest(/\/signed-in\/house\.example\.org/);
    await signInAt(stranger, "mallory");
    await stranger.page.getByRole("heading", { name: "You do not have access" }).waitFor();

    // Mallory gives the address at which his sign-in ended to a victim.
    const address = new URL((await back).url());
    const victim = await openDevice(gateway, { signedIn: false });
    const sent: string[] = [];
    victim.page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    await victim.open(address.pathname + address.search);
    await victim.page.getByRole("heading", { name: "This sign-in was not started" }).waitFor();
    expect(sent).not.toContain("/api/auth/sign-ins/finish");
    expect(victim.page.url()).toBe(`${gateway.url}/`);
    expect(await said(victim.page)).toBe("This sign-in was not started in this browser");
    // A signed-in person stays signed in.
    const owner = await openDevice(gateway);
    await owner.open();
    await owner.open(address.pathname + address.search);
    await button(owner.page, PROMPTS.tour).waitFor();
  });

  test("[R-5] two people have to allow it: the first yes runs nothing, and people without permission have no button", async ({
    startGateway,
    owned,
    openDevice,
  }) => {
    const steps = [{ who: [{ person: "olga@example.org" }], afterMs: 3_600_000 }];
    const responders = { default: { who: [{ group: "ops" }], need: 2, steps } };
    const { accounts, gateway } = await openPlace({ owned, startGateway }, { responders });
    const desk = await openDevice(gateway);
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    const path = `/s/${sessionId}`;
    await desk.open(path);
    const atDesk = card(desk.page, CARDS.checklist);
    await atDesk.getByText("View only").waitFor();
    await desk.page.locator(".hp-status", { hasText: "Waiting for an answer" }).waitFor();
    await atDesk.getByText("Who can answer: everyone in ops.").waitFor();
    expect(await button(atDesk, "Deny").count()).toBe(0);

    const maria = await openSignedIn(openDevice, gateway, "maria", path);
    const bob = await openSignedIn(openDevice, gateway, "bob", path);
    await askBack(maria, bob, desk);
    await lookOnPhone(desk, gateway, sessionId);
    const allow = async (device: Device): Promise<void> => {
      const asked = card(device.page, CARDS.checklist);
      // The comments may have moved its beginning out of view.
      await asked.scrollIntoViewIfNeeded();
      await device.press(asked.getByRole("button", { name: "Allow once" }));
    };
    await allow(maria);
    const voted = card(maria.page, CARDS.checklist);
    await voted.getByText("You have allowed it. You can still deny it.").waitFor();
    expect(await voted.getByRole("button", { name: "Allow once" }).count()).toBe(0);
    await atDesk
      .getByText(/Allowed so far by Maria Lopez \([^)]+\)\. One more is needed\./)
      .waitFor();
    await allow(bob);
    await card(bob.page, "Submitted").waitFor();
    const elsewhere = card(desk.page, "Answered on another device");
    await elsewhere
      .getByText(/Allowed by Maria Lopez \([^)]+\), Bob Meyer \([^)]+\)/)
      .first()
      .waitFor();
    await handOn(maria, bob, `/s/${await startDemo(gateway, PROMPTS.questions)}`);
    await comeBack(maria, bob, accounts);
  });

  test("a session is visible to its owner only, except while it is shared with a group", async ({
    startGateway,
    owned,
    openDevice,
  }) => {
    const { gateway } = await openPlace({ owned, startGateway });
    const maria = await openSignedIn(openDevice, gateway, "maria", "/");
    const vera = await openSignedIn(openDevice, gateway, "vera", "/");
    vera.allowProblem(/404/);
    await maria.press(button(maria.page, PROMPTS.questions));
    await card(maria.page, CARDS.questions).waitFor();
    const path = new URL(maria.page.url()).pathname;
    const listed = (device: Device) =>
      device.page.getByRole("navigation", { name: "Sessions" }).locator(`a[href="${path}"]`);
    await listed(maria).waitFor();

    // The session is gone from the list, from the inbox and at its address.
    const gone = vera.page.getByText("This session doesn't exist").first();
    await vera.open(path);
    await gone.waitFor();
    await vera.open("/");
    await vera.page.getByText("Sessions that you start appear here.").waitFor();
    expect(await listed(vera).count()).toBe(0);
    expect(await vera.page.title()).not.toMatch(/\(1\)/);

    const give = async (picture?: string): Promise<void> => {
      await maria.press(button(maria.page, `Actions for ${PROMPTS.questions}`));
      await maria.press(maria.page.getByRole("menuitem", { name: "Who can see it" }));
      const dialog = maria.page.getByRole("dialog", { name: "Who can see this session" });
      await dialog.getByText(/^It belongs to Maria Lopez/).waitFor();
      await maria.press(dialog.getByRole("checkbox", { name: "audit" }));
      if (picture !== undefined) await takePicture(maria.page, picture);
      await maria.press(button(dialog, "Save"));
      await dialog.waitFor({ state: "detached" });
    };
    await give("people, a session is given");
    await listed(vera).waitFor();
    await vera.press(listed(vera));
    await card(vera.page, CARDS.questions).getByText("View only").first().waitFor();
    // It waits for Maria, not for Vera.
    await maria.page
      .getByRole("region", { name: "Waiting for you", exact: true })
      .first()
      .waitFor();
    await vera.page.getByRole("region", { name: "Waiting for an answer" }).waitFor();
    await vera.page.locator(".hp-status", { hasText: "Waiting for an answer" }).waitFor();
    await expect.poll(() => maria.page.title()).toMatch(/^\(1\)/);
    expect(await vera.page.title()).not.toMatch(/^\(1\)/);
    await vera.page.getByRole("heading", { name: "For others to answer" }).waitFor();
    await takePicture(vera.page, "people, for others to answer");
    await vera.press(button(vera.page, `Actions for ${PROMPTS.questions}`));
    await vera.press(vera.page.getByRole("menuitem", { name: "Who can see it" }));
    await vera.page.getByRole("dialog").getByText("audit").waitFor();
    await vera.press(button(vera.page.getByRole("dialog"), "Close"));

    await give();
    await listed(vera).waitFor({ state: "detached" });
    await gone.waitFor();
    expect(await card(vera.page, CARDS.questions).count()).toBe(0);
  });

  test("a viewer sees requests and who answered them, and can change nothing", async ({
    startGateway,
    owned,
    openDevice,
  }) => {
    const { gateway } = await openPlace({ owned, startGateway });
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    const vera = await openSignedIn(openDevice, gateway, "vera", `/s/${sessionId}`);
    const { page } = vera;
    const asked = card(page, CARDS.questions);
    await asked.getByText("View only").first().waitFor();
    expect(await button(asked, "Submit").count()).toBe(0);
    await page.getByText("View only: you cannot send messages.").waitFor();
    for (const name of ["New session", "Answer from this device"]) {
      expect(await page.getByText(name, { exact: true }).count()).toBe(0);
    }
  });
});
