import { ATTACHMENT_LIMITS, type AttachmentProblem } from "@holdpoint/protocol";

import type { Say } from "../../words/use-words.ts";

const KB = 1024;
const MB = 1024 * 1024;

/** The size of a file in the person's language. */
export function toSizeWords(bytes: number, { language }: Pick<Say, "language">): string {
  const say = (value: number, unit: string): string => {
    const digits = value < 10 && unit === "MB" ? 1 : 0;
    return `${value.toLocaleString(language.locale, { maximumFractionDigits: digits })} ${unit}`;
  };
  return bytes < MB ? say(Math.max(Math.round(bytes / KB), 1), "kB") : say(bytes / MB, "MB");
}

/** The reason why a file is not accepted. */
export function toProblemWords(problem: AttachmentProblem, name: string, say: Say): string {
  switch (problem) {
    case "empty":
      return say("{name} is empty.", { name });
    case "unknown_type":
      return say("{name}: only PNG, JPEG, GIF and WebP images, PDF files and text can be sent.", {
        name,
      });
    case "too_many_pixels":
      return say("{name} has too many pixels. The limit is 50 million, and 10,000 per side.", {
        name,
      });
    case "text_too_large":
      return say(
        "{name} is too long. The limit for text is {size}. Put the file in the folder and mention it with @.",
        { name, size: toSizeWords(ATTACHMENT_LIMITS.textBytes, say) },
      );
    case "too_large":
      return say("{name} is too large. The limit for all files in a message is {size}.", {
        name,
        size: toSizeWords(ATTACHMENT_LIMITS.messageBytes, say),
      });
  }
}
