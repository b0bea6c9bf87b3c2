// @vitest-environment happy-dom
import { type Interaction, ProtocolError } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import {
  anApprovalInteraction,
  aQuestionInteraction,
  aResponder,
  FORMAT_QUESTION,
  HERE,
  instant,
} from "../testing/interactions.ts";
import { answeredHere, renderCard } from "../testing/render-card.tsx";
import { preloadCards } from "./cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const approval = anApprovalInteraction();
const question = aQuestionInteraction([FORMAT_QUESTION]);
const ANSWERED = {
  status: "answered",
  response: { action: "submit", answers: [{ questionId: "q-format", selected: ["iso"] }] },
  by: aResponder({ clientId: HERE }),
} satisfies Partial<Interaction>;
type Dismiss = () => Promise<Interaction>;
const deny = () => fireEvent.click(screen.getByRole("button", { name: "Deny" }));
const chooseIso = () => fireEvent.click(screen.getByRole("radio", { name: "ISO" }));
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Submit" }));

describe("sending", () => {
  test("[R-1] a lost race shows the winner's values, not this card's", async () => {
    const { gateway, announced, headline, drafts } = renderCard(question);
    chooseIso();
    submit();
    await gateway.refuse({
      code: "ALREADY_ANSWERED",
      winner: {
        action: "submit",
        answers: [{ questionId: "q-format", selected: ["locale"] }],
        by: aResponder(),
      },
    });
    expect(headline()).toMatch(/^Answered on another device/);
    expect(screen.getByText(/Maria, on Safari on iPhone/)).toBeTruthy();
    expect(screen.getAllByText("Locale").length).toBeGreaterThan(0);
    expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
    expect(announced()).toContain("Answered on another device");
    expect(drafts.read(question.interactionId)).toBeDefined();
  });

  test("[R-1] a denial that won is never drawn as this person's approval", async () => {
    const { gateway, arm } = renderCard(approval);
    arm();
    fireEvent.click(screen.getByRole("button", { name: "Allow once" }));
    const winner = { action: "deny" as const, reason: "Not today", by: aResponder() };
    await gateway.refuse({ code: "ALREADY_ANSWERED", winner });
    expect(screen.getByText("Denied")).toBeTruthy();
    expect(screen.getByText("“Not today”")).toBeTruthy();
    expect(screen.queryByText(/Allowed/)).toBeNull();
  });

  test("an answer of this client that won by an earlier try counts as this client's", async () => {
    const { gateway, headline } = renderCard(approval);
    deny();
    const by = aResponder({ clientId: HERE });
    await gateway.refuse({ code: "ALREADY_ANSWERED", winner: { action: "deny", by } });
    expect(headline()).toMatch(/^Submitted/);
  });

  test("[R-11] a 422 shows its message at the field and keeps everything", async () => {
    const { gateway } = renderCard(question);
    chooseIso();
    submit();
    await gateway.refuse({
      code: "INVALID_RESPONSE",
      status: 422,
      detail: "The answer does not fit",
      fieldErrors: { "answers.q-format": "This option was not offered." },
    });
    const message = screen.getByText("This option was not offered.");
    expect(message.closest("fieldset")).not.toBeNull();
    expect(screen.getByText("The answer does not fit.")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ISO" }).checked).toBe(true);
    submit();
    expect(gateway.sent).toHaveLength(2);
  });

  test("[R-6] a digest mismatch asks to look again, and to reload", async () => {
    const onStale = vi.fn<() => void>();
    const { gateway, arm } = renderCard(approval, { onStale });
    arm();
    fireEvent.click(screen.getByRole("button", { name: "Allow once" }));
    await gateway.refuse({ code: "DIGEST_MISMATCH" });
    expect(screen.getByText("The request changed.")).toBeTruthy();
    expect(onStale).toHaveBeenCalledOnce();
  });

  test("a broken connection is reported, the draft is kept, and Retry sends the same", async () => {
    const { gateway, drafts, headline } = renderCard(question);
    chooseIso();
    submit();
    await gateway.breakOff();
    // It may have arrived.
    expect(screen.queryByText(/Not sent/)).toBeNull();
    expect(screen.getByText("Not confirmed.")).toBeTruthy();
    expect(headline()).toBe("");
    expect(drafts.read(question.interactionId)).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(gateway.sent[1]).toEqual(gateway.sent[0]);
    await gateway.accept(answeredHere(question, gateway.sent[1]!));
    expect(headline()).toMatch(/^Submitted/);
  });

  test("an error that a transport throws is read like a refusal", async () => {
    const onRespond = () => Promise.reject(new ProtocolError("WITHDRAWN", "gone"));
    renderCard(approval, { onRespond });
    deny();
    expect(await screen.findByText("Withdrawn")).toBeTruthy();
  });

  test("an answer from elsewhere wins over an unfinished one", () => {
    const { show, headline } = renderCard(question);
    chooseIso();
    submit();
    const answers = [{ questionId: "q-format", selected: ["locale"] }];
    show({
      ...question,
      status: "answered",
      response: { action: "submit", answers },
      by: aResponder(),
    });
    expect(headline()).toMatch(/^Answered on another device/);
  });

  test("the focus stays at the card when its form disappears", async () => {
    const { gateway, card } = renderCard(approval);
    screen.getByRole("button", { name: "Deny" }).focus();
    deny();
    await gateway.accept(answeredHere(approval, gateway.sent[0]!));
    expect(document.activeElement).toBe(card());
  });

  test("a closing card takes no focus from elsewhere", async () => {
    const outside = document.createElement("input");
    document.body.append(outside);
    const { show } = renderCard(approval);
    outside.focus();
    show({ ...approval, status: "withdrawn", closedReason: "The turn was stopped" });
    expect(document.activeElement).toBe(outside);
    outside.remove();
  });
});

describe("an answer that the agent does not have yet", () => {
  const parked: Interaction = { ...approval, hold: "parked" };
  const answered: Interaction = {
    ...parked,
    status: "answered",
    response: { action: "approve" },
    by: { person: "Ada", client: "laptop", clientId: HERE, at: instant(0) },
    undoUntil: instant(5000),
  };

  test("can be undone as long as the gateway allows, by a press or by Z", async () => {
    const onUndo = vi.fn<(answeredAt: string) => Promise<unknown>>(async () => parked);
    const { wait, show } = renderCard(answered, { onUndo });
    expect(screen.getByText("Sending to the agent in 5 s.")).toBeTruthy();
    wait(1000);
    expect(screen.getByText("Sending to the agent in 4 s.")).toBeTruthy();
    await act(async () => fireEvent.keyDown(document.body, { key: "z" }));
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /^Undo/ })));
    expect(onUndo.mock.calls).toEqual([[answered.by?.at]]);
    show({ ...parked, reopenings: 1 });
    expect(screen.getByRole("button", { name: /Allow once/ })).toBeTruthy();
  });

  test("reports an undo that was too late, and offers none once the time is over", async () => {
    const onUndo = async () =>
      Promise.reject(new ProtocolError("ALREADY_ANSWERED", "It is delivered."));
    const { unmount } = renderCard(answered, { onUndo });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /^Undo/ })));
    expect(screen.getByText("Too late to undo: the agent has the answer.")).toBeTruthy();
    unmount();
    const { wait } = renderCard(answered, { onUndo });
    wait(5000);
    expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
  });

  test("can be undone again after the gateway did not respond", async () => {
    const onUndo = vi
      .fn<() => Promise<unknown>>(async () => parked)
      .mockRejectedValueOnce(new Error("The network is gone."));
    renderCard(answered, { onUndo });
    const press = async () =>
      act(async () => fireEvent.click(screen.getByRole("button", { name: /^Undo/ })));
    await press();
    expect(screen.queryByText(/Too late/)).toBeNull();
    expect(screen.getByText("Undo not confirmed by the gateway. Try again.")).toBeTruthy();
    await press();
    expect(onUndo).toHaveBeenCalledTimes(2);
  });

  test("[R-13] cannot be undone by a client that may only look, or once the agent has it", () => {
    const onUndo = async () => undefined;
    renderCard(answered, { onUndo, canRespond: false });
    renderCard({ ...answered, status: "delivered", how: "resumed" }, { onUndo });
    expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
  });

  test("is open again on this card too, when it was undone elsewhere", async () => {
    const { gateway, arm, show } = renderCard(parked);
    arm();
    deny();
    await gateway.accept({ ...answered, response: { action: "deny" } });
    expect(screen.queryByRole("button", { name: "Deny" })).toBeNull();
    show({ ...parked, reopenings: 1 });
    expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
  });
});

describe("a request that can't be answered", () => {
  test("[R-13] interaction off here: is shown, but nothing can be pressed or chosen", () => {
    const { card } = renderCard(question, { canRespond: false });
    expect(screen.getByText("Answering is off on this device.")).toBeTruthy();
    fireEvent.click(screen.getByRole("radio", { name: "ISO" }));
    fireEvent.keyDown(card(), { key: "1" });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ISO" }).checked).toBe(false);
    expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
  });

  test("[R-13] no right: has neither Allow nor Deny, nor their keys", () => {
    const { gateway, arm, card } = renderCard(approval, {
      canRespond: false,
      readOnlyReason: "no_right",
    });
    arm();
    expect(screen.getByText("View only.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Allow|Deny/ })).toBeNull();
    fireEvent.keyDown(card(), { key: "a" });
    fireEvent.keyDown(card(), { key: "d" });
    expect(gateway.sent).toEqual([]);
  });

  test("expired: is not answered, and shows that it was denied", () => {
    renderCard({ ...approval, status: "expired", onTimeout: "deny" });
    expect(screen.getByText("Time ran out")).toBeTruthy();
    expect(screen.getByText(/so it was denied/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Allow|Deny/ })).toBeNull();
  });

  test("withdrawn: shows the reason", () => {
    renderCard({ ...question, status: "withdrawn", closedReason: "The turn was stopped" });
    expect(screen.getByText("Withdrawn")).toBeTruthy();
    expect(screen.getByText("The turn was stopped.")).toBeTruthy();
  });
});

test("[R-5] approval without an input: has no Allow", () => {
  const { approval: _approval, ...broken } = approval;
  const { gateway, card, arm } = renderCard(broken);
  arm();
  fireEvent.keyDown(card(), { key: "a" });
  fireEvent.keyDown(card(), { key: "Enter" });
  expect(screen.queryByRole("button", { name: /Allow|Submit/ })).toBeNull();
  expect(gateway.sent).toEqual([]);
});

describe("a request that can be answered late", () => {
  test("is still a form when it is expired", () => {
    const { gateway } = renderCard({ ...question, status: "expired" });
    expect(
      screen.getByText(/stopped waiting and moved on. Your answer will reach it/),
    ).toBeTruthy();
    chooseIso();
    submit();
    expect(gateway.sent).toHaveLength(1);
  });

  test("shows, when orphaned, that the answer becomes a message", () => {
    renderCard({ ...approval, status: "orphaned" });
    expect(screen.getByText("The agent stopped.")).toBeTruthy();
    expect(screen.getByText("Your answer will reach it as a message.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
    // Nothing runs by a press: there is no agent that waits.
    expect(screen.queryByRole("button", { name: /^Allow/ })).toBeNull();
    expect(screen.getByRole("button", { name: /Tell the agent to go ahead/ })).toBeTruthy();
  });

  test("can be dismissed instead, by a client that may answer", async () => {
    const late: Interaction = { ...question, status: "orphaned" };
    const onDismiss = vi.fn<Dismiss>(async () => ({
      ...late,
      status: "withdrawn",
      closedReason: "Dismissed by Ada.",
    }));
    const view = renderCard(late, { onDismiss });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Dismiss" })));
    expect(onDismiss).toHaveBeenCalledOnce();
    expect(screen.getByText("Dismissed by Ada.")).toBeTruthy();
    view.unmount();
    renderCard(late, { onDismiss, canRespond: false });
    expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull();
  });

  test("shows a failed dismissal, and tries again", async () => {
    const onDismiss = vi.fn<Dismiss>(async () => Promise.reject(new Error("Gone.")));
    const { gateway } = renderCard({ ...question, status: "expired" }, { onDismiss });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Dismiss" })));
    expect(screen.getByText("Not confirmed.")).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Retry" })));
    expect(onDismiss).toHaveBeenCalledTimes(2);
    expect(gateway.sent).toEqual([]);
  });
});

describe("a parked request", () => {
  test("shows what an answer will do, and accepts it as usual", async () => {
    const { gateway } = renderCard({ ...question, hold: "parked" });
    expect(screen.getByText("Parked until you answer.")).toBeTruthy();
    expect(screen.getByText(/Your answer restarts the agent at this step/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull();
    chooseIso();
    submit();
    await gateway.accept({ ...question, hold: "parked", ...ANSWERED });
    expect(screen.getAllByText(/Restarting the agent with it/)).not.toEqual([]);
  });
});

describe("an answer whose delivery is unknown", () => {
  const response = { action: "approve" as const };
  const unknown: Interaction = {
    ...approval,
    ...ANSWERED,
    response,
    status: "delivered",
    how: "unknown",
  };

  test("is shown as that, and the agent can be asked to check, once", async () => {
    const asked = Promise.withResolvers<void>();
    const onAskToCheck = vi.fn<() => Promise<void>>(() => asked.promise);
    renderCard(unknown, { onAskToCheck });
    expect(screen.getByText(/was killed during delivery/)).toBeTruthy();
    expect(screen.queryByText(/The agent has it$|Nothing has run/)).toBeNull();
    const ask = screen.getByRole("button", { name: "Ask the agent to check" });
    fireEvent.click(ask);
    fireEvent.click(ask);
    await act(async () => asked.resolve());
    expect(onAskToCheck).toHaveBeenCalledOnce();
    expect(screen.getByText(/The agent was asked to check\.$/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /check/ })).toBeNull();
  });

  test("can be asked about again when the message was not sent", async () => {
    renderCard(unknown, { onAskToCheck: () => Promise.reject(new Error("Gone.")) });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /check/ })));
    expect(screen.getByRole("button", { name: "Not sent. Ask again" })).toBeTruthy();
  });

  test("is only shown to a client that may not answer", () => {
    renderCard(unknown, { onAskToCheck: async () => undefined, canRespond: false });
    expect(screen.getByText(/was killed during delivery/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /check/ })).toBeNull();
  });
});

describe("the time of a card", () => {
  test("counts down from the gateway's remaining time, whatever this device's clock shows", () => {
    const deadlineAt = instant(99 * 3_600_000);
    const { wait, announced } = renderCard({ ...approval, deadlineAt, remainingMs: 130_000 });
    expect(screen.getByRole("timer").textContent).toBe("2 min left");
    wait(20_000);
    expect(screen.getByRole("timer").textContent).toBe("1:50 left");
    expect(announced()).toBe("");
    wait(51_000);
    expect(announced()).toContain("0:5");
    wait(60_000);
    expect(screen.getByRole("timer").textContent).toBe("time is up");
  });

  test("does not restart the countdown when it is mounted again", () => {
    const timed = {
      ...approval,
      interactionId: "interaction-again",
      deadlineAt: instant(600_000),
      remainingMs: 600_000,
    };
    const { show, wait } = renderCard(timed);
    wait(300_000);
    show(approval);
    show({ ...timed });
    expect(screen.getByRole("timer").textContent).toBe("5 min left");
  });

  test("is shown as parked without a deadline", () => {
    const deadlineAt = instant(60_000);
    const { show } = renderCard({ ...approval, hold: "parked", deadlineAt });
    expect(screen.getByText("no deadline")).toBeTruthy();
    show(approval);
    expect(screen.getByText("no deadline")).toBeTruthy();
    expect(screen.getByText("2 min ago")).toBeTruthy();
  });
});

describe("[R-5] the effect of the deadline is shown correctly", () => {
  const deadlineAt = instant(600_000);
  const WORDS = {
    wait: "After that, the agent continues; a late answer still reaches it.",
    deny: "After that, it is denied.",
    handler: "After that, the tool decides how to continue without an answer.",
  } as const;

  test.each([
    ["an approval", approval],
    ["a question", question],
  ])("on %s", (_, asked) => {
    for (const [onTimeout, words] of Object.entries(WORDS)) {
      const policy = onTimeout as keyof typeof WORDS;
      const { container } = renderCard({
        ...asked,
        deadlineAt,
        remainingMs: 600_000,
        onTimeout: policy,
      });
      expect(container.innerHTML).toContain(words);
      cleanup();
    }
  });
});

describe("[R-6] the record of an approval", () => {
  test.each([
    ["once", "Allowed once"],
    ["session", "Allowed for this session"],
    ["always", "Allowed from now on"],
  ] as const)("shows how long it is valid: %s", (approvalScope, words) => {
    const asked = anApprovalInteraction({ scopes: ["once", "session", "always"] });
    const digest = asked.approval!.digest;
    renderCard(answeredHere(asked, { action: "approve", digest, approvalScope }));
    expect(screen.getByText(words)).toBeTruthy();
  });

  test("shows that also if it was given on another device", () => {
    const response = { action: "approve", approvalScope: "always" } as const;
    renderCard({ ...approval, status: "delivered", response, by: aResponder() });
    expect(screen.getByText("Allowed from now on")).toBeTruthy();
  });

  test("never reads as done after a denial, whatever the tool's summary", () => {
    const completedView = { summaryTemplate: "Deployed to production" };
    const { container } = renderCard(
      answeredHere({ ...approval, completedView }, { action: "deny", reason: "Not on Friday" }),
    );
    expect(screen.getByText("Denied")).toBeTruthy();
    expect(screen.getByText("“Not on Friday”")).toBeTruthy();
    expect(container.textContent).not.toContain("Deployed");
  });
});

describe("a program's request", () => {
  const deploy: Interaction = {
    ...anApprovalInteraction({
      input: {},
      display: { title: "Deploy 1.4.2 to production?", description: "It takes a minute." },
    }),
    toolName: "ask",
    hold: "kept",
    prompt: "Deploy 1.4.2 to production?",
    agentId: "CI: deploy.sh",
  };

  test("names the program, which has no turn to stop, and no agent", () => {
    const { container } = renderCard(deploy);
    fireEvent.click(screen.getByRole("button", { name: "Deny with a reason" }));
    expect(container.textContent).toContain("The program says");
    expect(container.textContent).toContain("Optional. Sent to the program.");
    expect(container.textContent).not.toMatch(/agent/iu);
    expect(screen.queryByRole("button", { name: "Deny and stop" })).toBeNull();
  });

  test("[R-6] is named in the record of the approval, with the place of the answer", () => {
    const response = { action: "approve", approvalScope: "once" } as const;
    const answered = { ...deploy, ...ANSWERED, response };
    const { container, show } = renderCard(answered);
    const line = () => container.querySelector("summary")?.textContent ?? "";
    expect(line()).toContain("Allowed once Deploy 1.4.2 to production?");
    expect(line()).toContain("Kept until the program fetches it");
    show({ ...answered, status: "delivered", how: "resumed" });
    expect(line()).toContain("Delivered to the program");
    expect(container.textContent).not.toMatch(/agent/iu);
  });

  test.for([
    [{ version: "1.4.3", force: true }, "version: 1.4.3"],
    [{ version: "1.4.2", force: false, to: ["a"] }, 'force: false, to: ["a"]'],
    [{ version: "1.4.2" }, "force: –"],
    [{ version: "1.4.3\nforce: true", force: true }, "version: 1.4.3…"],
  ] as const)(
    "[R-6] is named as requested, with the changes made before it was allowed: %j",
    ([editedInput, words]) => {
      const input = { version: "1.4.2", force: true };
      const asked = { ...deploy, approval: { ...deploy.approval!, input } };
      const response = { action: "approve", editedInput } as const;
      const { container } = renderCard({ ...asked, ...ANSWERED, response });
      expect(container.querySelector("summary")?.textContent).toContain(
        `Allowed once, with edits Deploy 1.4.2 to production? changed to ${words}`,
      );
    },
  );
});

describe("[R-6] the tool's own summary", () => {
  test("replaces the title of an approval", () => {
    const completedView = { summaryTemplate: "Deployed ({{action}})" };
    renderCard(
      answeredHere({ ...approval, completedView }, { action: "approve", digest: "digest-1" }),
    );
    expect(screen.getByText("Deployed (approve)")).toBeTruthy();
  });

  test("replaces the title of a question, with the chosen labels", () => {
    const completedView = { summaryTemplate: "Dates: {{q-format}}" };
    const answers = [{ questionId: "q-format", selected: ["iso"], other: "with the time" }];
    renderCard(answeredHere({ ...question, completedView }, { action: "submit", answers }));
    expect(screen.getByText("Dates: ISO, with the time")).toBeTruthy();
  });

  test("is not used if it has a placeholder without a value", () => {
    const completedView = { summaryTemplate: "Dates: {{way}} / Right" };
    const answers = [{ questionId: "q-format", selected: ["iso"] }];
    const { container } = renderCard(
      answeredHere({ ...question, completedView }, { action: "submit", answers }),
    );
    expect(container.textContent).not.toContain("/ Right");
    expect(container.textContent).toContain("ISO");
  });
});

describe("an answer that its tool could not handle", () => {
  const failure = "The tool failed while it handled this response.";

  test("is reported in plain words and announced, and is not drawn as done", async () => {
    const { gateway, arm, show, headline, announced, card, container } = renderCard(approval);
    arm();
    fireEvent.click(screen.getByRole("button", { name: "Allow once" }));
    const taken = answeredHere(approval, gateway.sent[0]!);
    await gateway.accept(taken);
    expect(headline()).toMatch(/^Submitted · /);
    show({ ...taken, status: "delivered", how: "resumed", failure });
    expect(headline()).toMatch(/^Submitted, then the tool failed/);
    expect(screen.getByText(failure)).toBeTruthy();
    expect(screen.getByText(/The agent was notified of the failure/)).toBeTruthy();
    expect(announced()).toBe(`Submitted, then the tool failed. ${failure}`);
    expect(card().classList).toContain("hp-done-no");
    expect(container.textContent).not.toContain("Delivered to the agent");
    expect(screen.queryByRole("button", { name: /Allow/ })).toBeNull();
  });

  test("is also shown if it was given on another device", () => {
    const { headline } = renderCard({
      ...approval,
      status: "delivered",
      response: { action: "approve", approvalScope: "once" },
      by: aResponder(),
      how: "resumed",
      failure,
    });
    expect(headline()).toMatch(/^Answered on another device, then the tool failed/);
    expect(screen.getByText("Allowed once")).toBeTruthy();
    expect(screen.getByText(failure)).toBeTruthy();
  });
});

test("the code in a title is drawn as code", () => {
  renderCard(anApprovalInteraction({ input: { command: "echo `date`" } }));
  const title = document.querySelector(".hp-card-title");
  expect(title?.textContent).toBe("Run echo `date`?");
  expect(title?.querySelector("code")?.textContent).toBe("echo `date`");
});
