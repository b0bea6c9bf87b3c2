/** A field reserved by the runtime, which removes it from every decision. */
const RUNTIMES_OWN_FIELD = "_simulatedSedEdit";

/**
 * Why Claude's runtime would not run this edit as it is. For every tool, it treats an edit without fields as
 * unchanged and runs the original.
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

/** Leaves out `__proto__`: JSON parsers on the way may drop it. */
function fieldsOf(input: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(input).filter((name) => name !== "__proto__");
}
