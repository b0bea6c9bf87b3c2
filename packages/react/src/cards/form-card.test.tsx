// @vitest-environment happy-dom
import type { FieldSchema, FormSchema } from "@holdpoint/protocol";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";

import { aFormInteraction } from "../testing/interactions.ts";
import { answeredHere, renderCard } from "../testing/render-card.tsx";
import { checkForm, createFormDraft } from "./form-draft.ts";
import { toFormFields } from "./form-schema.ts";

afterEach(cleanup);

const form = aFormInteraction();
/** A form's card is loaded on first use. */
const renderForm = async (interaction = form) => {
  const rendered = renderCard(interaction);
  await screen.findByRole("button", { name: "Submit" });
  return rendered;
};
const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Submit" }));

describe("a form card", () => {
  test("sends typed values, with No as an answer, and leaves out what was not touched", async () => {
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
    expect(container.querySelector(".hp-done-body")?.textContent).toContain("Europe");
  });

  test("puts errors at the fields and into a summary that takes focus", async () => {
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
      expect(document.activeElement?.textContent).toContain("4 fields need you");
    });
    fireEvent.click(screen.getByRole("link", { name: "Version" }));
    expect(document.activeElement).toBe(version);
  });

  test("asked again: keeps the person's values, and says what was wrong with them", async () => {
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

  test("a refused value stands at its field", async () => {
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

describe("checkForm", () => {
  const check = (schema: Record<string, unknown>, value: string | string[]) => {
    const fields = toFormFields({
      schema: {
        type: "object",
        properties: { field: schema as FieldSchema },
        required: ["field"],
      },
    });
    const result = checkForm(fields, new Map([["field", value]]));
    return result.errors.get("field") ?? result.values["field"];
  };

  test.each<[Record<string, unknown>, string | string[], unknown]>([
    [{ type: "string", format: "date" }, "2026-02-28", "2026-02-28"],
    [{ type: "string", format: "date" }, "2026-02-30", "Enter a date."],
    [{ type: "string", format: "email" }, "a@b.c", "a@b.c"],
    [{ type: "string", format: "email" }, "a b", "Enter an e-mail address."],
    [{ type: "string", format: "uri" }, "example.org", "Enter a whole address, with https://."],
    [{ type: "string", maxLength: 2 }, "👍👍", "👍👍"],
    [{ type: "number" }, "NaN", "Enter a number."],
    [{ type: "number" }, "1e999", "Enter a number."],
    [{ type: "integer" }, "1.5", "Enter a whole number."],
    [{ type: "number", minimum: 2 }, "1", "Enter 2 or more."],
    [{ type: "string", enum: ["a"] }, "b", "Choose one of the options."],
    [{ type: "array", minItems: 2, items: { enum: ["a", "b"] } }, ["a"], "Choose at least 2."],
    [{ type: "array", maxItems: 1, items: { enum: ["a", "b"] } }, ["a", "b"], "Choose at most 1."],
    [{ type: "boolean" }, "", "Choose an answer."],
    [{ type: "boolean" }, "no", false],
  ])("%j with %j", (schema, value, expected) => {
    expect(check(schema, value)).toEqual(expected);
  });

  test("fields may have any name, and defaults are filled in", () => {
    const fields = toFormFields({
      schema: JSON.parse(
        '{"properties":{"__proto__":{"type":"string","default":"x"}}}',
      ) as FormSchema,
    });
    const { values } = checkForm(fields, createFormDraft(fields));
    expect(Object.entries(values)).toEqual([["__proto__", "x"]]);
  });
});
