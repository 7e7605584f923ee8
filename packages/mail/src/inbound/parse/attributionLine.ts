/**
 * Recognizes the line that introduces a quotation: "On Tuesday … wrote:", a header block, or a horizontal rule. Except
 * for a horizontal rule, every introduction contains our address, or our name and a date. No rule depends on words in a
 * specific language.
 */
import type { KnownTextMatcher } from "./knownText.ts"

/**
 * Returns the line where the introduction to the quotation at line `at` starts, or `at` if there is no introduction.
 * Lines before `after` are ignored.
 *
 * Guests often write directly above the introduction, with no blank line between. The search therefore returns the
 * shortest range of lines that contains the author and the date.
 */
export const findAttribution = (
  lines: ReadonlyArray<string>,
  at: number,
  matcher: KnownTextMatcher,
  after: number
): number => {
  const last = above(lines, at, after)
  if (last === undefined) return at
  for (let from = last; from >= after && from > last - mostLines && lines[from] !== ""; from--) {
    // Mail programs can break a long address at any character, so the lines are also joined without spaces.
    const text = lines.slice(from, last + 1).join(" ")
    const isNamed = matcher.hasAddress(text) || matcher.hasAddress(text.replaceAll(" ", "")) ||
      matcher.hasName(text) && isDated(text) && /[:：]$|(?<![-–—_])[-–—_]{3,}$/.test(text)
    if (isNamed) return findDateLine(lines, from, last, after)
  }
  return at
}

/** Returns the line with the date, which can be above the one with the author's name. */
const findDateLine = (lines: ReadonlyArray<string>, from: number, last: number, after: number): number => {
  for (let begin = from; begin >= after && begin > last - mostLines && lines[begin] !== ""; begin--) {
    if (isDated(lines.slice(begin, last + 1).join(" "))) return begin
  }
  return from
}

/** Returns the line number of a horizontal rule directly above `from`, or `from` if there is none. */
export const findHorizontalRuleAbove = (lines: ReadonlyArray<string>, from: number, after: number): number => {
  const before = above(lines, from, after)
  return before !== undefined && isHorizontalRule(lines[before] ?? "") ? before : from
}

/**
 * Whether a header block that introduces our email starts on this line. The block has at least three lines of the form
 * "label: value", and one of them contains a date. Our address must appear in its first three lines. If text that we
 * sent follows the block, our name alone is enough.
 */
export const isHeaderBlockStart = (lines: ReadonlyArray<string>, at: number, matcher: KnownTextMatcher): boolean => {
  if (!isLabelled(lines[at] ?? "")) return false
  let to = at
  let labels = 0
  while (to < lines.length && to - at < mostHeaders && lines[to] !== "") {
    // A long list of addresses can continue on the next line.
    if (!isLabelled(lines[to] ?? "") && !isLabelled(lines[to + 1] ?? "")) break
    if (isLabelled(lines[to] ?? "")) labels++
    to++
  }
  if (labels < 3) return false
  const block = lines.slice(at, to).join(" ")
  // A list that the guest wrote directly above the block can look like headers, so only the first three lines count.
  const isFirst = matcher.hasAddress(lines.slice(at, at + 3).join(""))
  if (isFirst && isDated(block)) return true
  const next = lines.slice(to).find((line) => line !== "") ?? ""
  return matcher.hasName(lines.slice(at, at + 3).join(" ")) && isDated(block) &&
    (matcher.repeats(next) || matcher.begins(next))
}

const isLabelled = (line: string): boolean =>
  /^[ *]{0,3}\p{L}[\p{L}\p{M} .’'-]{0,28}\*{0,2} ?[:：]\*{0,2} ?\S/u.test(line)

/** Whether a line is a horizontal rule, which can contain text. */
export const isHorizontalRule = (line: string): boolean =>
  /^ {0,4}[-_=*–—]{5,} *$/.test(line) || /^ {0,4}[-–—]{4,}[^-–—].{0,200}[-–—]{4,} *$/.test(line)

/** Whether a line is the wrapped end of an introduction, such as "wrote:". */
export const isAttributionEnd = (line: string | undefined): boolean =>
  line !== undefined && line.length < 40 && /\S[:：]$/.test(line)

/** Returns whether a text contains a year or a time of day, in the digits of any script. */
const isDated = (text: string): boolean => /\p{Nd}{4}|\p{Nd}{1,2} ?[:.hH時时시] ?\p{Nd}{2}/u.test(text)

/** Returns the last nonblank line above `at`, skipping at most two blank lines. */
const above = (lines: ReadonlyArray<string>, at: number, after: number): number | undefined => {
  for (let line = at - 1; line >= after && line >= at - 3; line--) if (lines[line] !== "") return line
  return undefined
}

const mostLines = 4
const mostHeaders = 12
