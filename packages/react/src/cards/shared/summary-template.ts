const PLACEHOLDER = /\{\{([^{}]*)\}\}|\{([^{}]*)\}/g;

/**
 * A tool's one-line summary, as plain text: `{name}` and `{{name}}` are replaced with the words for that name. An
 * unknown `{name}` may be literal text and is kept; an unknown `{{name}}` means that there is no summary.
 */
export function fillTemplate(
  template: string,
  words: ReadonlyMap<string, string>,
): string | undefined {
  const doubled = [...template.matchAll(PLACEHOLDER)].flatMap(([, name]) => name?.trim() ?? []);
  if (doubled.some((name) => !words.has(name))) return undefined;
  return template.replaceAll(
    PLACEHOLDER,
    (whole, doubled?: string, single?: string) =>
      words.get((doubled ?? single ?? "").trim()) ?? whole,
  );
}
