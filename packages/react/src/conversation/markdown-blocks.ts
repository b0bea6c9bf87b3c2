/**
 * Splits growing markdown into a settled part and a rest, so that only the rest is parsed again with each new piece.
 * Cuts only at a blank line outside fenced code whose next line starts a new top-level paragraph or heading: there,
 * both parts mean the same apart as together.
 */
export function splitGrowingMarkdown(text: string): { settled: string; rest: string } {
  let cut = 0;
  let fence: string | undefined;
  let previousBlank = false;
  let offset = 0;
  for (const line of text.split("\n")) {
    const marker = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === undefined && previousBlank && startsParagraph(line)) cut = offset;
    if (marker !== undefined) {
      if (fence === undefined) fence = marker;
      else if (marker.startsWith(fence)) fence = undefined;
    }
    previousBlank = line.trim() === "";
    offset += line.length + 1;
  }
  return { settled: text.slice(0, cut), rest: text.slice(cut) };
}

function startsParagraph(line: string): boolean {
  return /^(?:#{1,6} |[\p{L}\p{N}`*_("'])/u.test(line) && !/^(?:\d+[.)] |[*+-] |\|)/u.test(line);
}
