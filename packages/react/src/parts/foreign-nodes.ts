/**
 * Protects React from foreign changes to its nodes: a browser's translation replaces each text with a `font` element,
 * and extensions wrap, move and remove nodes. React would throw `NotFoundError` and lose everything it has drawn, or
 * write new text into nodes that are no longer in the page. Nodes that are not watched are not affected.
 */
export function keepFromForeignChanges(root: Node | null): void {
  if (root === null || isWatched(root)) return;
  if (observers.length === 0) {
    guardPlaces(Node.prototype);
    guardTexts(Text.prototype);
  }
  const observer = new MutationObserver(note);
  observer.observe(root, { childList: true, subtree: true });
  observers.push(observer);
  roots.add(root);
}

const roots = new WeakSet<Node>();
const observers: MutationObserver[] = [];
/** The replacement of each removed node. */
const standIns = new WeakMap<Node, Node>();
/** The longest chain of replacements that is followed. */
const MAX_STEPS = 8;

function isWatched(node: Node): boolean {
  let at: Node | null = node;
  while (at && !roots.has(at)) at = at instanceof ShadowRoot ? at.host : at.parentNode;
  return at !== null;
}

function note(records: readonly MutationRecord[]): void {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    // Some translations insert their element next to a text before they remove the text.
    const standIn = addedNodes[0] ?? [previousSibling, nextSibling].find(isTranslation);
    if (standIn) for (const removed of removedNodes) standIns.set(removed, standIn);
  }
}

function isTranslation(node: Node | null): boolean {
  return node?.nodeName === "FONT";
}

/** The node itself if it still has a parent, or else its replacement. */
function placed(node: Node): Node | undefined {
  for (const observer of observers) note(observer.takeRecords());
  let at: Node | undefined = node;
  for (let steps = 0; at && !at.parentNode && steps < MAX_STEPS; steps += 1) at = standIns.get(at);
  return at?.parentNode ? at : undefined;
}

function guardPlaces(nodes: Node): void {
  // oxlint-disable-next-line unbound-method -- both are called with the right node as `this`
  const { insertBefore, removeChild } = nodes;

  nodes.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this || !isWatched(this)) return removeChild.call(this, child) as T;
    const gone = placed(child);
    let parent = gone?.parentNode;
    if (gone && parent) removeChild.call(parent, gone);
    // Elements that were wrapped around it are removed too, unless they contain something else.
    while (parent?.parentNode && parent !== this && !parent.hasChildNodes()) {
      const empty: Node = parent;
      parent = empty.parentNode;
      if (parent) removeChild.call(parent, empty);
    }
    return child;
  };

  nodes.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    if (next === null || next.parentNode === this || !isWatched(this)) {
      return insertBefore.call(this, node, next) as T;
    }
    let place = placed(next);
    while (place && place.parentNode !== this) place = place.parentNode ?? undefined;
    return insertBefore.call(this, node, place ?? null) as T;
  };
}

/** Puts a replaced text back when React writes to it: the page must show the text from React. */
function guardTexts(texts: Text): void {
  let owner: Node = texts;
  while (!Object.hasOwn(owner, "nodeValue")) owner = Object.getPrototypeOf(owner) as Node;
  const value = Object.getOwnPropertyDescriptor(owner, "nodeValue");
  Object.defineProperty(texts, "nodeValue", {
    ...value,
    set(this: Text, text: string | null) {
      const standIn = this.parentNode === null && standIns.has(this) ? placed(this) : undefined;
      if (standIn?.parentNode && isWatched(standIn)) standIn.parentNode.replaceChild(this, standIn);
      value?.set?.call(this, text);
    },
  });
}
