/** The key that does the same; for eyes only, since the control has a name of its own. */
export function KeyHint({ children }: { children: string }) {
  return (
    <kbd className="hp-key" aria-hidden="true">
      {children}
    </kbd>
  );
}
