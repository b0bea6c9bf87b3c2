// @vitest-environment happy-dom
import { ProtocolError } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { ConfirmDialog } from "./confirm-dialog.tsx";

afterEach(cleanup);

function ask(...results: (ProtocolError | undefined)[]) {
  const onDone = vi.fn<() => void>();
  render(
    <ConfirmDialog
      title="Delete it?"
      words={["Delete", "Deleting…"]}
      act={async () => {
        const result = results.shift();
        if (result) throw result;
      }}
      onDone={onDone}
      onClose={() => undefined}
    >
      <p>It will be gone.</p>
    </ConfirmDialog>,
  );
  const confirm = () => act(async () => void fireEvent.click(screen.getByText("Delete")));
  return { onDone, confirm };
}

test("a failure shows its reason and can be retried", async () => {
  const { onDone, confirm } = ask(new ProtocolError("DRAINING", "The gateway is stopping."));
  await confirm();
  expect(screen.getByRole("alert", { hidden: true }).textContent).not.toBe("");
  expect(onDone).not.toHaveBeenCalled();
  await confirm();
  expect(onDone).toHaveBeenCalledOnce();
  expect(screen.queryByRole("alert", { hidden: true })).toBeNull();
});

test("an item that someone else has already ended counts as done", async () => {
  const { onDone, confirm } = ask(new ProtocolError("NOT_FOUND", "There is no such grant."));
  await confirm();
  expect(onDone).toHaveBeenCalledOnce();
});
