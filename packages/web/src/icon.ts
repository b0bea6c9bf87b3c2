import { createElement, type ComponentType, type SVGProps } from "react";

interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/** Replaces the icon components of lucide-react, whose options the page does not need. */
export function createIcon({ node }: IconData): ComponentType<SVGProps<SVGSVGElement>> {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return (props) =>
    createElement(
      "svg",
      {
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        ...props,
      },
      shapes,
    );
}
