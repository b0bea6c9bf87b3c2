import { focusedElement } from "../parts/focused-element.ts";

/** The card of an interaction within `root`, if it is drawn. */
export function findCard(root: ParentNode | null, interactionId: string): HTMLElement | null {
  if (root === null) return null;
  return root.querySelector<HTMLElement>(`[data-interaction-id="${CSS.escape(interactionId)}"]`);
}

/** The interaction whose card, or a control in it, has the focus. */
export function focusedInteractionId(root: Node | null): string | undefined {
  const activeElement = focusedElement();
  if (activeElement === null || root === null || !root.contains(activeElement)) return undefined;
  return interactionIdAround(activeElement);
}

/** The interaction whose card contains the target. */
export function interactionIdAround(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  const card = target.closest("[data-interaction-id]");
  return card?.getAttribute("data-interaction-id") ?? undefined;
}

/** Whether it is a finished card. Such a card can have the focus although the person is not working in it. */
export function isSettledCard(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("article[data-interaction-id][tabindex='-1']");
}

/** Whether it is an open card, or inside one. */
export function isInOpenCard(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || isSettledCard(target)) return false;
  return target.closest("[data-interaction-id]") !== null;
}

/** Whether the person is working in an open card within `root`. */
export function worksInCard(root: Node | null): boolean {
  return focusedInteractionId(root) !== undefined && !isSettledCard(focusedElement());
}
