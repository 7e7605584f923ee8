/**
 * The lines with which a mail program introduces what it quotes: "On Tuesday …
 * wrote:", a block of headers, a rule. They are known by our address or our name in
 * them and by a date, and never by words.
 */
import type { KnownTextMatcher } from "./knownText.ts"

/**
 * Where the introduction of a quotation begins that itself begins at `at`; `at` when
 * it has none. Lines before `after` belong to something else.
 *
 * Guests often write right above it without a blank line, so as few lines are
 * taken as hold who wrote it and when.
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
    // A long address is broken anywhere, so the lines are joined without a blank, too.
    const text = lines.slice(from, last + 1).join(" ")
    const isNamed = ours.hasAddress(text) || ours.hasAddress(text.replaceAll(" ", "")) ||
      ours.hasName(text) && isDated(text) && /[:：]$|(?<![-–—_])[-–—_]{3,}$/.test(text)
    if (isNamed) return dated(lines, from, last, after)
  }
  return at
}

/** The date may stand in the line above, or in the one above that. */
const dated = (lines: ReadonlyArray<string>, from: number, last: number, after: number): number => {
  for (let begin = from; begin >= after && begin > last - mostLines && lines[begin] !== ""; begin--) {
    if (isDated(lines.slice(begin, last + 1).join(" "))) return begin
  }
  return from
}

/** The same with a rule that stands right above. */
export const attributionStart = (lines: ReadonlyArray<string>, from: number, after: number): number => {
  const before = above(lines, from, after)
  return before !== undefined && isRule(lines[before] ?? "") ? before : from
}

/**
 * Whether a block of headers begins here that introduces us: at least three lines of
 * a label, a colon and a value, a date, and in the first three our address, or our
 * name where words of ours follow.
 */
export const isHeaderBlock = (lines: ReadonlyArray<string>, at: number, ours: KnownTextMatcher): boolean => {
  if (!isLabelled(lines[at] ?? "")) return false
  let to = at
  let labels = 0
  while (to < lines.length && to - at < mostHeaders && lines[to] !== "") {
    // A list of addresses goes on in the next line.
    if (!isLabelled(lines[to] ?? "") && !isLabelled(lines[to + 1] ?? "")) break
    if (isLabelled(lines[to] ?? "")) labels++
    to++
  }
  if (labels < 3) return false
  const block = lines.slice(at, to).join(" ")
  // A guest's own list may stand right above, and go on in the headers.
  const isFirst = ours.hasAddress(lines.slice(at, at + 3).join(""))
  if (isFirst && isDated(block)) return true
  const next = lines.slice(to).find((line) => line !== "") ?? ""
  return ours.hasName(lines.slice(at, at + 3).join(" ")) && isDated(block) && (ours.repeats(next) || ours.begins(next))
}

const isLabelled = (line: string): boolean =>
  /^[ *]{0,3}\p{L}[\p{L}\p{M} .’'-]{0,28}\*{0,2} ?[:：]\*{0,2} ?\S/u.test(line)

/** Whether a line is a rule, with or without words in it. */
export const isRule = (line: string): boolean =>
  /^ {0,4}[-_=*–—]{5,} *$/.test(line) || /^ {0,4}[-–—]{4,}[^-–—].{0,200}[-–—]{4,} *$/.test(line)

/** Whether a line is the rest of an introduction that was wrapped, such as "wrote:". */
export const isShortEnd = (line: string | undefined): boolean =>
  line !== undefined && line.length < 40 && /\S[:：]$/.test(line)

/** A year or a time of day, in any digits. */
const isDated = (text: string): boolean => /\p{Nd}{4}|\p{Nd}{1,2} ?[:.hH時时시] ?\p{Nd}{2}/u.test(text)

/** The last line above that is not blank, over two blank ones at most. */
const above = (lines: ReadonlyArray<string>, at: number, after: number): number | undefined => {
  for (let line = at - 1; line >= after && line >= at - 3; line--) if (lines[line] !== "") return line
  return undefined
}

const mostLines = 4
const mostHeaders = 12
