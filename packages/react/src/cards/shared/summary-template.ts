const PLACEHOLDER = /\{\{([^{}]*)\}\}|\{([^{}]*)\}/g;

/**
 * A tool's one-line summary, as plain text: `{name}` becomes the words of that name, and so does `{{name}}`. An unknown
 * name stays as it is.
 */
export function fillTemplate(template: string, words: ReadonlyMap<string, string>): string {
  return template.replaceAll(
    PLACEHOLDER,
    (whole, doubled?: string, single?: string) =>
      words.get((doubled ?? single ?? "").trim()) ?? whole,
  );
}
