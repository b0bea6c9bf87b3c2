// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import type { FieldSchema, Interaction } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { aFormInteraction } from "../../testing/interactions.ts";
import { answeredHere, renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const form = aFormInteraction();
const renderForm = async (interaction = form, options: Parameters<typeof renderCard>[1] = {}) => {
  const rendered = renderCard(interaction, options);
  await screen.findByRole("button", { name: "Submit" });
  return rendered;
};
const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Submit" }));

describe("a form card", () => {
  test("is not sent by the second press of a double press if it replaces another", async () => {
    const again = { ...form, previousId: "interaction-0", attempt: 2 };
    const { gateway, arm, card } = await renderForm(again);
    type("Version", "4.2.0");
    fireEvent.click(screen.getByRole("radio", { name: "beta" }));
    fireEvent.click(screen.getByRole("radio", { name: "No" }));
    fireEvent.keyDown(card(), { key: "Enter" });
    submit();
    expect(gateway.sent).toEqual([]);
    arm();
    submit();
    expect(gateway.sent).toHaveLength(1);
  });

  test("sends typed values, with No as an answer, and leaves out untouched fields", async () => {
    const { gateway, container } = await renderForm();
    type("Version", "4.2.0");
    fireEvent.click(screen.getByRole("radio", { name: "beta" }));
    fireEvent.click(screen.getByRole("radio", { name: "No" }));
    type(/Share/, "25");
    fireEvent.click(screen.getByRole("checkbox", { name: "Europe" }));
    submit();
    const values = {
      version: "4.2.0",
      channel: "beta",
      announce: false,
      share: 25,
      regions: ["eu"],
    };
    expect(gateway.sent).toEqual([{ action: "submit", values }]);
    await gateway.accept(answeredHere(form, gateway.sent[0]!));
    await screen.findByText("Europe");
    expect(container.querySelector(".hp-done-body")?.textContent).toContain("Not given");
  });

  test("shows errors at the fields and in a summary that takes focus", async () => {
    const { gateway } = await renderForm();
    type("Version", "4");
    type(/Share/, "2.5");
    submit();
    expect(gateway.sent).toEqual([]);
    const version = screen.getByLabelText("Version");
    expect(version.getAttribute("aria-invalid")).toBe("true");
    const described = version.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(
      "Enter at least 5 characters.",
    );
    await waitFor(() => {
      expect(document.activeElement?.textContent).toContain("Fix 4 fields");
    });
    fireEvent.click(screen.getByRole("link", { name: "Version" }));
    expect(document.activeElement).toBe(version);
  });

  test("asked again: keeps the person's values, and shows what was wrong with them", async () => {
    await renderForm({
      ...form,
      attempt: 2,
      error: "That version exists already.",
      fieldErrors: { version: "4.2.0 was published in May" },
      form: { ...form.form!, initialValues: { version: "4.2.0", announce: false } },
    });
    expect(screen.getByText("That version exists already.")).toBeTruthy();
    expect(screen.getByText("4.2.0 was published in May")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Version").value).toBe("4.2.0");
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "No" }).checked).toBe(true);
  });

  test("shows a refused value at its field", async () => {
    const { gateway } = await renderForm();
    type("Version", "4.2.0");
    fireEvent.click(screen.getByRole("radio", { name: "stable" }));
    fireEvent.click(screen.getByRole("radio", { name: "Yes" }));
    submit();
    await gateway.refuse({
      code: "INVALID_RESPONSE",
      detail: "See the fields",
      fieldErrors: { "values.version": "Not a version." },
    });
    expect(screen.getByLabelText("Version").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement?.textContent).toContain("Fix 1 field");
    expect(screen.getByLabelText<HTMLInputElement>("Version").value).toBe("4.2.0");
    type("Version", "4.2.1");
    expect(screen.queryByText("Not a version.")).toBeNull();
  });

  test("cancels", async () => {
    const { gateway } = await renderForm();
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(gateway.sent).toEqual([{ action: "cancel" }]);
  });
});

/** A form of one field. */
function aForm(field: FieldSchema, required = false, over: Partial<Interaction> = {}) {
  const properties = { field: { title: "Field", ...field } };
  return aFormInteraction({
    form: { schema: { type: "object", properties, ...(required && { required: ["field"] }) } },
    ...over,
  });
}

describe("a field", () => {
  const sent = async (field: FieldSchema, fill: () => void, required = false) => {
    const { gateway } = await renderForm(aForm(field, required));
    fill();
    submit();
    const [body] = gateway.sent;
    return body?.values;
  };

  test("is no answer as an optional boolean until it is touched, and then Yes or No", async () => {
    const press = () => fireEvent.click(screen.getByRole("checkbox", { name: "Field" }));
    expect(await sent({ type: "boolean" }, () => undefined)).toEqual({});
    cleanup();
    expect(await sent({ type: "boolean" }, press)).toEqual({ field: true });
    cleanup();
    const twice = () => {
      press();
      press();
    };
    expect(await sent({ type: "boolean" }, twice)).toEqual({ field: false });
  });

  test("has radio buttons for few choices, and an optional choice can be undone", async () => {
    const values = await sent({ type: "string", enum: ["a", "b"] }, () => {
      fireEvent.click(screen.getByRole("radio", { name: "b" }));
      fireEvent.click(screen.getByRole("button", { name: "Clear selection" }));
    });
    expect(values).toEqual({});
    expect(screen.queryByRole("button", { name: "Clear selection" })).toBeNull();
  });

  test.each([
    ["radio", ["a", "b", "c", "d", "e", "f", "g"], "radio"],
    ["select", ["a", "b", "c"], "combobox"],
  ] as const)("has the control that the tool names: %s of %j", async (control, values, role) => {
    renderCard(aForm({ type: "string", enum: [...values], control }));
    expect(await screen.findAllByRole(role)).toHaveLength(role === "radio" ? values.length : 1);
  });

  test("has a list for many choices, in which empty text is a choice like any other", async () => {
    const oneOf = ["", "1", "2", "3", "4", "5"].map((value) => ({
      const: value,
      title: value || "None of them",
    }));
    const values = await sent({ type: "string", oneOf }, () => {
      const list = screen.getByRole<HTMLSelectElement>("combobox", { name: /^Field/ });
      fireEvent.change(list, { target: { value: "0" } });
      expect(list.selectedOptions[0]?.textContent).toBe("None of them");
    });
    expect(values).toEqual({ field: "" });
  });

  test("can be written in a larger editor for long text, however that is closed", async () => {
    const values = await sent({ type: "string", multiline: true }, () => {
      fireEvent.click(screen.getByRole("button", { name: "Expand" }));
      const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Field" });
      const large = within(dialog).getByRole("textbox");
      fireEvent.change(large, { target: { value: "two\nlines" } });
      fireEvent.keyDown(large, { key: "Enter" });
      fireEvent(dialog, new Event("close"));
      expect(screen.getByRole("dialog")).toBe(dialog);
      act(() => dialog.close());
      expect(dialog.isConnected).toBe(false);
    });
    expect(values).toEqual({ field: "two\nlines" });
  });

  test("sends a moment as an instant that keeps the hour of this device", async () => {
    const values = await sent({ type: "string", format: "date-time" }, () => {
      type(/^Field/, "2026-05-01T10:30");
    });
    const { field } = values as { field: string };
    expect(field).toMatch(/^2026-05-01T10:30:00[+-]\d{2}:\d{2}$/);
    expect(new Date(field).getTime()).toBe(new Date("2026-05-01T10:30").getTime());
  });

  test("shows its limits, and that it is required", async () => {
    await renderForm(aForm({ type: "integer", minimum: 1, maximum: 9 }, true));
    const control = screen.getByLabelText("Field");
    expect(control.getAttribute("aria-required")).toBe("true");
    const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual(["From 1 to 9."]);
  });
});

describe("[R-19] a sensitive field", () => {
  const secret = aForm({ type: "string", sensitive: true }, true);
  const control = () => screen.getByLabelText<HTMLInputElement>("Field");

  test("is masked, can be revealed, and is masked again while it is sent", async () => {
    const { gateway } = await renderForm(secret);
    type("Field", "s3cret");
    expect(control().type).toBe("password");
    fireEvent.click(screen.getByRole("button", { name: "Show typed text" }));
    expect(control().type).toBe("text");
    submit();
    expect(control().type).toBe("password");
    expect(gateway.sent).toEqual([{ action: "submit", values: { field: "s3cret" } }]);
  });

  test("is kept nowhere: not as a draft, and not after it was sent", async () => {
    const drafts = createMemoryDrafts();
    const write = vi.spyOn(drafts, "write");
    const { gateway, container } = await renderForm(secret, { drafts });
    type("Field", "s3cret");
    submit();
    expect(write.mock.calls.flat().join()).not.toContain("s3cret");
    const { values: _values, ...response } = gateway.sent[0]!;
    const answered = answeredHere(secret, response);
    await gateway.accept({
      ...answered,
      response: { ...response, values: {}, redacted: ["field"] },
    });
    await screen.findByText("sent to the agent only");
    expect(container.innerHTML).not.toContain("s3cret");
    expect(container.querySelector(".hp-done-body")?.textContent).toContain("••••");
  });

  test("stays in the field when it is refused", async () => {
    const { gateway } = await renderForm(secret);
    type("Field", "s3cret");
    submit();
    await gateway.refuse({ code: "INVALID_RESPONSE", fieldErrors: { "values.field": "Wrong." } });
    expect(control().value).toBe("s3cret");
  });
});

describe("a form's other states", () => {
  test("has the typed values after a reload, and fills in no default that was removed", async () => {
    const drafts = createMemoryDrafts();
    const named = aForm({ type: "string", default: "Ada" });
    await renderForm(named, { drafts });
    type(/^Field/, "");
    cleanup();
    await renderForm(named, { drafts });
    expect(screen.getByLabelText<HTMLInputElement>(/^Field/).value).toBe("");
    type(/^Field/, "Grace");
    cleanup();
    await renderForm(named, { drafts });
    expect(screen.getByLabelText<HTMLInputElement>(/^Field/).value).toBe("Grace");
  });

  test("asked again: shows which attempt it is, and lists an error without a field", async () => {
    await renderForm({
      ...form,
      attempt: 3,
      error: "No such account.",
      fieldErrors: { elsewhere: "The server is down" },
    });
    expect(screen.getByText("Asked again, attempt 3.")).toBeTruthy();
    const summary = screen.getByRole("group", { name: "Fields to fix" });
    expect(summary.textContent).toContain("elsewhere: The server is down");
    expect(document.activeElement).toBe(document.body);
  });

  test("is sent with Control or Command and Enter from a multi-line text, and not with Enter alone", async () => {
    const { gateway } = await renderForm(aForm({ type: "string", multiline: true }, true));
    const field = screen.getByLabelText(/^Field/);
    type(/^Field/, "one\ntwo");
    fireEvent.keyDown(field, { key: "Enter" });
    expect(gateway.sent).toEqual([]);
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    expect(gateway.sent).toEqual([{ action: "submit", values: { field: "one\ntwo" } }]);
  });

  test("queued: shows that the answer becomes a message, and no time", async () => {
    await renderForm({ ...form, hold: "queued", deadlineAt: "2026-11-21T14:05:00.000Z" });
    expect(screen.getByText("The agent moved on.")).toBeTruthy();
    expect(screen.getByText("Your answer will reach it as a message.")).toBeTruthy();
    expect(screen.queryByRole("timer")).toBeNull();
  });

  test("queued while open: announces it, and keeps the typed text", async () => {
    const { show, announced } = await renderForm(form);
    type("Version", "4.2.0");
    show({ ...form, hold: "queued" });
    expect(announced()).toBe("The agent moved on. Your answer will reach it as a message.");
    expect(screen.getByLabelText<HTMLInputElement>("Version").value).toBe("4.2.0");
  });

  test("afterwards shows the sent values, unless the tool hides them", async () => {
    const response = { action: "submit", values: { field: "German" } } as const;
    const text: FieldSchema = { type: "string", title: "Language" };
    const prompt = "Preferred language?";
    renderCard(answeredHere(aForm(text, true, { prompt }), response));
    await screen.findByText("German", { selector: ".hp-done-values" });
    expect(screen.getByText(prompt, { selector: ".hp-done-what" })).toBeTruthy();
    cleanup();
    const hidden = { prompt, completedView: { showInputs: false } };
    const { container } = renderCard(answeredHere(aForm(text, true, hidden), response));
    await screen.findByText("Sent:");
    expect(container.textContent).not.toContain("German");
  });

  test("afterwards shows the tool's own summary, as plain text with the labels of the form", async () => {
    const asked = aForm(
      { type: "string", oneOf: [{ const: "eu", title: "<b>Europe</b>" }] },
      true,
      {
        completedView: { summaryTemplate: "{{action}}: {field}, {gone}", showInputs: false },
      },
    );
    const { container } = renderCard(
      answeredHere(asked, { action: "submit", values: { field: "eu" } }),
    );
    await screen.findByText("submit: <b>Europe</b>, {gone}");
    expect(container.querySelector("b, dl")).toBeNull();
  });
});
