/** A field that the runtime keeps for itself: it takes the field out of every decision. */
const RUNTIMES_OWN_FIELD = "_simulatedSedEdit";

/**
 * Why Claude's runtime would run something else than this edit. It takes an edit without fields as no edit at all, for
 * every tool, and runs the original.
 */
export function problemOfEdit(
  edited: Readonly<Record<string, unknown>>,
  original: Readonly<Record<string, unknown>>,
): string | undefined {
  if (Object.hasOwn(edited, RUNTIMES_OWN_FIELD)) {
    return "Claude would ignore the field _simulatedSedEdit. Remove it, or deny the request.";
  }
  const isEmpty = fieldsOf(edited).length === 0 && fieldsOf(original).length > 0;
  return isEmpty
    ? "Claude would run the original: it takes an empty input as unchanged. Keep at least one field, or deny the request."
    : undefined;
}

/** No reader of JSON on the way keeps a field of this name for certain. */
function fieldsOf(input: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(input).filter((name) => name !== "__proto__");
}
