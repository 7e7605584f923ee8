/**
 * Recognizes the introduction of a quotation: "On Tuesday … wrote:", a header block, or a rule. An introduction
 * contains our address or name and a date. No rule depends on the words of a language.
 */
import type { KnownTextMatcher } from "./knownText.ts"

/**
 * Returns the line where the introduction of the quotation at line `at` starts. Returns `at` without an introduction,
 * and ignores lines before `after`.
 *
 * Guests often write directly above the introduction without a blank line. The introduction is therefore the smallest
 * range of lines with the author and the date.
 */
export const findAttribution = (
  lines: ReadonlyArray<string>,
  at: number,
  ours: KnownTextMatcher,
  after: number
): number => {
  const last = above(lines, at, after)
  if (last === undefined) return at
  for (let from = last; from >= after && from > last - mostLines && lines[from] !== ""; from--) {
    // Mail programs break a long address at any position, so the lines are also joined without a space.
    const text = lines.slice(from, last + 1).join(" ")
    const isNamed = ours.hasAddress(text) || ours.hasAddress(text.replaceAll(" ", "")) ||
      ours.hasName(text) && isDated(text) && /[:：]$|(?<![-–—_])[-–—_]{3,}$/.test(text)
    if (isNamed) return findDateLine(lines, from, last, after)
  }
  return at
}

/** The date can be on a line above the author. */
const findDateLine = (lines: ReadonlyArray<string>, from: number, last: number, after: number): number => {
  for (let begin = from; begin >= after && begin > last - mostLines && lines[begin] !== ""; begin--) {
    if (isDated(lines.slice(begin, last + 1).join(" "))) return begin
  }
  return from
}

/** Returns the line of a rule directly above `from`. Without a rule, returns `from`. */
export const attributionStart = (lines: ReadonlyArray<string>, from: number, after: number): number => {
  const before = above(lines, from, after)
  return before !== undefined && isRule(lines[before] ?? "") ? before : from
}

/**
 * Whether a header block that introduces our email starts here. The block has at least three lines of label, colon, and
 * value, and contains a date. Its first three lines contain our address. Our name is enough if sent text follows the
 * block.
 */
export const isHeaderBlock = (lines: ReadonlyArray<string>, at: number, ours: KnownTextMatcher): boolean => {
  if (!isLabelled(lines[at] ?? "")) return false
  let to = at
  let labels = 0
  while (to < lines.length && to - at < mostHeaders && lines[to] !== "") {
    // A long list of addresses continues on the next line.
    if (!isLabelled(lines[to] ?? "") && !isLabelled(lines[to + 1] ?? "")) break
    if (isLabelled(lines[to] ?? "")) labels++
    to++
  }
  if (labels < 3) return false
  const block = lines.slice(at, to).join(" ")
  // A guest's own list can look like headers and be directly above the block.
  const isFirst = ours.hasAddress(lines.slice(at, at + 3).join(""))
  if (isFirst && isDated(block)) return true
  const next = lines.slice(to).find((line) => line !== "") ?? ""
  return ours.hasName(lines.slice(at, at + 3).join(" ")) && isDated(block) && (ours.repeats(next) || ours.begins(next))
}

const isLabelled = (line: string): boolean =>
  /^[ *]{0,3}\p{L}[\p{L}\p{M} .’'-]{0,28}\*{0,2} ?[:：]\*{0,2} ?\S/u.test(line)

/** Whether a line is a horizontal rule. A rule can contain text. */
export const isRule = (line: string): boolean =>
  /^ {0,4}[-_=*–—]{5,} *$/.test(line) || /^ {0,4}[-–—]{4,}[^-–—].{0,200}[-–—]{4,} *$/.test(line)

/** Whether a line is the wrapped end of an introduction, such as "wrote:". */
export const isShortEnd = (line: string | undefined): boolean =>
  line !== undefined && line.length < 40 && /\S[:：]$/.test(line)

/** Matches a year or a time of day in the digits of any script. */
const isDated = (text: string): boolean => /\p{Nd}{4}|\p{Nd}{1,2} ?[:.hH時时시] ?\p{Nd}{2}/u.test(text)

/** Returns the last nonblank line above `at`. Skips at most two blank lines. */
const above = (lines: ReadonlyArray<string>, at: number, after: number): number | undefined => {
  for (let line = at - 1; line >= after && line >= at - 3; line--) if (lines[line] !== "") return line
  return undefined
}

const mostLines = 4
const mostHeaders = 12
