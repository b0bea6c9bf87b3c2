/** Lets a browser's translation or an extension change the nodes below without breaking React. */
export function keepFromForeignChanges(root: Node | null): void {
  if (root === null) return;
  import("./foreign-nodes.ts").then(
    ({ watchForeignNodes }) => watchForeignNodes(root),
    () => undefined, // Without it, the page works as long as nothing else changes its nodes.
  );
}
