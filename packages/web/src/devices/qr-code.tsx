import { useMemo, type ReactNode } from "react";
import { encode } from "uqr";

/** The margin in modules, which cameras need. */
const BORDER = 3;

/**
 * A text as a QR code. Black on white in every theme, since cameras need that. Only for cameras: the text must also be
 * shown.
 */
export function QrCode({ text }: { readonly text: string }): ReactNode {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} aria-hidden>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function draw(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const points = data.flatMap((row, y) =>
    row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: points.join("") };
}
