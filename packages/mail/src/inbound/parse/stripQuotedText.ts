/**
 * Removes quoted text from a reply by comparing the reply with the emails that Trailbook sent. Most lines that
 * introduce a quotation contain the secret reply address. The rules do not depend on a specific language.
 *
 * A quotation is one of the following:
 * - a block of lines that are marked with `>`, if it repeats text we sent or follows an introduction with our address
 * - everything after an introduction or header block that precedes text we sent
 * - everything after a horizontal rule that precedes text we sent
 * - the end of the text, if it repeats one of our messages from its start
 *
 * The guest's own text above, below, and between quotations is kept. If the guest wrote between several quotations,
 * those quotations are kept, too. The removed text is returned separately. If no text would remain, nothing is removed.
 */
import EmailReplyParser from "email-reply-parser"
import {
  findAttribution,
  findHorizontalRuleAbove,
  isAttributionEnd,
  isHeaderBlockStart,
  isHorizontalRule
} from "./attributionLine.ts"
import { type KnownText, type KnownTextMatcher, makeKnownTextMatcher } from "./knownText.ts"

export interface SplitText {
  readonly body: string
  /** The removed text, or an empty string. */
  readonly cut: string
}

/** Splits a size-limited text into the author's text and the quoted text. The body is never empty. */
export const stripQuotedText = (text: string, sentMail: KnownText): SplitText => {
  const result = splitQuotedText(text, sentMail)
  return result.body === "" ? { body: text.trim(), cut: "" } : result
}

/** Like `stripQuotedText`, but the body can be empty. */
export const splitQuotedText = (text: string, sentMail: KnownText): SplitText => {
  const matcher = makeKnownTextMatcher(sentMail)
  const lines = text.split("\n")
  const quotations = findQuotations(lines, matcher)
  return quotations.length === 0 ? stripUnknownFormats(text) : removeQuotations(lines, quotations)
}

/** A range of lines, where `to` is exclusive. */
interface Quotation {
  readonly from: number
  readonly to: number
}

const findQuotations = (lines: ReadonlyArray<string>, matcher: KnownTextMatcher): ReadonlyArray<Quotation> => {
  const quotations: Array<Quotation> = []
  const tail = findRepeatedTail(lines, matcher)
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (isMarked(line)) {
      const to = findBlockEnd(lines, at, matcher)
      const lastEnd = quotations.at(-1)?.to ?? 0
      const from = findAttribution(lines, at, matcher, lastEnd)
      // Mail programs drop the quote mark on some blank lines, so the next marked line belongs to the same quotation.
      const continuesLast = lastEnd > 0 && !hasWords(lines.slice(lastEnd, at))
      if (continuesLast || from < at || containsSentText(lines.slice(at, to), matcher)) {
        quotations.push({ from: findHorizontalRuleAbove(lines, from, lastEnd), to })
      }
      at = to
      continue
    }
    const from = line === ""
      ? undefined
      : findOpenQuotation(lines, at, matcher, { after: quotations.at(-1)?.to ?? 0, tail })
    if (from !== undefined) return [...quotations, { from, to: lines.length }]
    at++
  }
  return quotations
}

/**
 * If an introduction starts at `at`, returns the first line of the unmarked quotation that follows it. The quotation
 * extends to the end of the text.
 */
const findOpenQuotation = (
  lines: ReadonlyArray<string>,
  at: number,
  matcher: KnownTextMatcher,
  { after, tail }: { readonly after: number; readonly tail: number }
): number | undefined => {
  const line = lines[at] ?? ""
  const startsHeaders = isHeaderBlockStart(lines, at, matcher)
  if (startsHeaders) return findHorizontalRuleAbove(lines, at, after)
  if (isHorizontalRule(line)) return matcher.repeats(nextLine(lines, at)) ? at : undefined
  const introductionEnd = isAttributionEnd(lines[at + 1]) ? at + 1 : at
  if (matcher.hasAddress(line) && !isMarked(nextLine(lines, introductionEnd))) {
    const from = findAttribution(lines, introductionEnd + 1, matcher, after)
    const lastLine = (lines[introductionEnd] ?? "").trimEnd()
    if (
      from <= at &&
      (/[:：]$/.test(lastLine) || isHorizontalRule(lastLine) || matcher.repeats(nextLine(lines, introductionEnd)))
    ) {
      return findHorizontalRuleAbove(lines, from, after)
    }
  }
  return at >= tail && matcher.repeats(line) && matcher.begins(line)
    ? findHorizontalRuleAbove(lines, findAttribution(lines, at, matcher, after), after)
    : undefined
}

/** Returns the first of the trailing lines that repeat text we sent. */
const findRepeatedTail = (lines: ReadonlyArray<string>, matcher: KnownTextMatcher): number => {
  let from = lines.length
  while (from > 0 && (lines[from - 1] === "" || matcher.repeatsBriefly(lines[from - 1] ?? ""))) from--
  return from
}

const isMarked = (line: string): boolean => /^ {0,3}[>＞]/.test(line)

const withoutQuoteMarks = (line: string): string => line.replace(/^[ >＞|]+/, "")

const nextLine = (lines: ReadonlyArray<string>, at: number): string => {
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next]
    if (line !== undefined && line !== "") return line
  }
  return ""
}

/**
 * Returns the end of a block of marked lines. Mail programs omit the mark on wrapped lines, so text we sent between
 * marked lines belongs to the block.
 */
const findBlockEnd = (lines: ReadonlyArray<string>, from: number, matcher: KnownTextMatcher): number => {
  let to = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (isMarked(line)) to = at + 1
    else if (line === "" || !matcher.repeatsBriefly(line) || at - to > 2) break
  }
  return includeWrappedLine(lines, to, matcher)
}

/**
 * Returns the end of the block. If the last marked line was wrapped, the rest of that line belongs to the block, too.
 */
const includeWrappedLine = (lines: ReadonlyArray<string>, to: number, matcher: KnownTextMatcher): number => {
  const line = lines[to]
  const last = withoutQuoteMarks(lines[to - 1] ?? "")
  const isWrapped = line !== undefined && line !== "" && last.length > 40 && matcher.repeats(`${last}${line}`)
  return isWrapped ? to + 1 : to
}

const containsSentText = (block: ReadonlyArray<string>, matcher: KnownTextMatcher): boolean =>
  block.some((line) => matcher.repeats(withoutQuoteMarks(line)) || matcher.hasAddress(line)) ||
  // The lines of a short message are too short to be matched individually.
  matcher.isWhole(block.map(withoutQuoteMarks).join(" "))

const removeQuotations = (lines: ReadonlyArray<string>, quotations: ReadonlyArray<Quotation>): SplitText => {
  const followedByWords = quotations.filter(({ to }, index) => hasWords(lines.slice(to, quotations[index + 1]?.from)))
  // If the author replies line by line, each reply needs the quotation above it, so only the quotation at the end is
  // removed.
  const removed = followedByWords.length > 1 ? quotations.filter((each) => !followedByWords.includes(each)) : quotations
  const isCut = (at: number): boolean => removed.some(({ from, to }) => from <= at && at < to)
  return {
    body: joinLines(lines.filter((_, at) => !isCut(at))),
    cut: joinLines(lines.filter((_, at) => isCut(at)))
  }
}

const hasWords = (lines: ReadonlyArray<string>): boolean => lines.some((line) => line !== "")

const joinLines = (lines: ReadonlyArray<string>): string => lines.join("\n").replace(/\n{4,}/g, "\n\n\n").trim()

/**
 * Splits a reply that contains none of the text we sent. A library recognizes the quotation formats of common mail
 * programs. Signatures are kept, because the guest wrote them.
 */
const stripUnknownFormats = (text: string): SplitText => {
  const fragments = new EmailReplyParser().read(text).getFragments()
  let end = fragments.length
  while (end > 0 && fragments[end - 1]?.isHidden() === true) end--
  const hasQuote = fragments.slice(end).some((fragment) => fragment.isQuoted())
  if (!hasQuote) return { body: text.trim(), cut: "" }
  return {
    body: fragments.slice(0, end).join("\n").trim(),
    cut: fragments.slice(end).join("\n").trim()
  }
}
