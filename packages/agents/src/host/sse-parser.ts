/** Parses messages from an event stream of JSON that may be cut anywhere. */
export class SseParser {
  #text = "";

  /** The data of the events completed by this text. Skips comments and events without data. */
  push(text: string): string[] {
    const parts = (this.#text + text).replaceAll("\r\n", "\n").split("\n\n");
    this.#text = parts.pop() ?? "";
    return parts.map(toData).filter((data) => data !== "");
  }
}

function toData(event: string): string {
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n");
}
