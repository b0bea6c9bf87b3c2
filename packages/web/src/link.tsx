import type { ComponentProps, MouseEvent, ReactNode } from "react";

import { withBasePath } from "./base-path.ts";
import { toPath, type Route } from "./route.ts";
import { navigate } from "./use-route.ts";

/** A real link that navigates within the page, unless the person asks for a new tab. */
export function Link({
  to,
  onClick,
  children,
  ...rest
}: { readonly to: Route } & Omit<ComponentProps<"a">, "href">): ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a {...rest} href={withBasePath(toPath(to))} onClick={follow}>
      {children}
    </a>
  );
}
