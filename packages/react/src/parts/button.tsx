import type { ComponentProps, MouseEvent, ReactNode } from "react";

export type ButtonTone = "plain" | "primary" | "danger" | "quiet";

type ButtonProps = Omit<ComponentProps<"button">, "disabled" | "className"> & {
  tone?: ButtonTone;
  icon?: ReactNode;
  /** Only the icon is visible; `children` is the button's name. */
  iconOnly?: boolean;
  /**
   * The button cannot be pressed at the moment. It stays in the tab order, so that the focus is not lost when this
   * changes, and screen readers can read out the reason (`aria-describedby`).
   */
  blocked?: boolean;
  /** Called for a press while `blocked`, to show the missing part. */
  onBlocked?: (() => void) | undefined;
  className?: string;
};

/** A native button. While `blocked`, it ignores presses instead of leaving the tab order. */
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
      // oxlint-disable-next-line react/button-has-type -- always given, "button" by default
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
