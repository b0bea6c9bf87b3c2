import type { ComponentProps, MouseEvent, ReactNode } from "react";

export type ButtonTone = "plain" | "primary" | "danger" | "quiet";

type ButtonProps = Omit<ComponentProps<"button">, "disabled" | "className"> & {
  tone?: ButtonTone;
  icon?: ReactNode;
  /** Only an icon is seen; `children` is its name. */
  iconOnly?: boolean;
  /**
   * It cannot be pressed now. It keeps its place in the tab order, so that focus is not lost when it changes and a
   * screen reader can hear why (`aria-describedby`).
   */
  blocked?: boolean;
  /** A press while `blocked`, for showing what is missing. */
  onBlocked?: (() => void) | undefined;
  className?: string;
};

/** A native button. While `blocked` it swallows presses instead of leaving the tab order. */
export function Button({
  tone = "plain",
  icon,
  iconOnly = false,
  blocked = false,
  onBlocked,
  className,
  children,
  onClick,
  type = "button",
  ...native
}: ButtonProps): ReactNode {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!blocked) {
      onClick?.(event);
      return;
    }
    event.preventDefault();
    onBlocked?.();
  };
  return (
    <button
      {...native}
      // oxlint-disable-next-line react/button-has-type -- always given, "button" unless told otherwise
      type={type}
      aria-disabled={blocked || undefined}
      className={["hp-button", `hp-button-${tone}`, iconOnly && "hp-button-icon", className]
        .filter(Boolean)
        .join(" ")}
      onClick={press}
    >
      {icon}
      {iconOnly ? <span className="hp-visually-hidden">{children}</span> : children}
    </button>
  );
}
