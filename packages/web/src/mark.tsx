import type { ReactNode } from "react";

/** The product's logo: a point that holds. */
export function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="12" fill="none" stroke="currentColor" strokeWidth="4" />
      <circle cx="16" cy="16" r="5" fill="currentColor" />
    </svg>
  );
}
