/**
 * Taking off what a reply quotes, by what we sent: we hold the words of the
 * conversation, and our address in it cannot be guessed and stands in most of the
 * lines with which mail programs introduce a quotation. No language is looked at.
 *
 * A quotation is
 * - a block of lines marked with `>` that repeats us, or is introduced as ours;
 * - what follows a line or a block of headers that introduces us, to the end;
 * - what follows a rule and repeats us, to the end;
 * - an end that repeats one of our messages from its beginning.
 *
 * Words of the guest stay wherever they stand: above, below and, with the marked
 * lines that they answer, between. What is cut is kept apart, and where nothing
 * would be left nothing is cut.
 */
import EmailReplyParser from "email-reply-parser"
import { attributionStart, findAttribution, isHeaderBlock, isRule, isShortEnd } from "./attributionLine.ts"
import { type KnownTextMatcher, makeKnownTextMatcher, type SentMail } from "./knownText.ts"

export interface SplitText {
  readonly body: string
  /** What was cut off; empty when nothing was. */
  readonly cut: string
}

/** Splits a text that is bounded already into what its writer wrote and what they quoted. */
export const stripQuotedText = (text: string, known: SentMail): SplitText => {
  const stripped = splitQuotedText(text, known)
  return stripped.body === "" ? { body: text.trim(), cut: "" } : stripped
}

/** The same where nothing may be left. */
export const splitQuotedText = (text: string, known: SentMail): SplitText => {
  const ours = makeKnownTextMatcher(known)
  const lines = text.split("\n")
  const found = quotations(lines, ours)
  return found.length === 0 ? stripUnknown(text) : without(lines, found)
}

/** From its first line to the one after its last. */
interface Quotation {
  readonly from: number
  readonly to: number
}

const quotations = (lines: ReadonlyArray<string>, ours: KnownTextMatcher): ReadonlyArray<Quotation> => {
  const found: Array<Quotation> = []
  const tail = repeatedTail(lines, ours)
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (isMarked(line)) {
      const to = endOfBlock(lines, at, ours)
      const last = found.at(-1)?.to ?? 0
      const from = findAttribution(lines, at, ours, last)
      // What goes on after a blank line that lost its mark is of the same quotation.
      const goesOn = last > 0 && !hasWords(lines.slice(last, at))
      if (goesOn || from < at || isOurs(lines.slice(at, to), ours)) {
        found.push({ from: attributionStart(lines, from, last), to })
      }
      at = to
      continue
    }
    const from = line === "" ? undefined : openEnd(lines, at, ours, { after: found.at(-1)?.to ?? 0, tail })
    if (from !== undefined) return [...found, { from, to: lines.length }]
    at++
  }
  return found
}

/** Where a quotation begins whose lines are not marked and which goes to the end, if one is introduced here. */
const openEnd = (
  lines: ReadonlyArray<string>,
  at: number,
  ours: KnownTextMatcher,
  { after, tail }: { readonly after: number; readonly tail: number }
): number | undefined => {
  const line = lines[at] ?? ""
  const headers = isHeaderBlock(lines, at, ours)
  if (headers) return attributionStart(lines, at, after)
  if (isRule(line)) return ours.repeats(nextOf(lines, at)) ? at : undefined
  const last = isShortEnd(lines[at + 1]) ? at + 1 : at
  if (ours.hasAddress(line) && !isMarked(nextOf(lines, last))) {
    const from = findAttribution(lines, last + 1, ours, after)
    const said = (lines[last] ?? "").trimEnd()
    if (from <= at && (/[:：]$/.test(said) || isRule(said) || ours.repeats(nextOf(lines, last)))) {
      return attributionStart(lines, from, after)
    }
  }
  return at >= tail && ours.repeats(line) && ours.begins(line)
    ? attributionStart(lines, findAttribution(lines, at, ours, after), after)
    : undefined
}

/** From here to the end all lines are ours. */
const repeatedTail = (lines: ReadonlyArray<string>, ours: KnownTextMatcher): number => {
  let from = lines.length
  while (from > 0 && (lines[from - 1] === "" || ours.repeatsBriefly(lines[from - 1] ?? ""))) from--
  return from
}

const isMarked = (line: string): boolean => /^ {0,3}[>＞]/.test(line)

const unmarked = (line: string): string => line.replace(/^[ >＞|]+/, "")

const nextOf = (lines: ReadonlyArray<string>, at: number): string => {
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next]
    if (line !== undefined && line !== "") return line
  }
  return ""
}

/** After the last marked line, and after lines of ours between marked ones that lost their mark when they were wrapped. */
const endOfBlock = (lines: ReadonlyArray<string>, from: number, ours: KnownTextMatcher): number => {
  let to = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (isMarked(line)) to = at + 1
    else if (line === "" || !ours.repeatsBriefly(line) || at - to > 2) break
  }
  return wrappedEnd(lines, to, ours)
}

/** The last marked line may have been wrapped, too. */
const wrappedEnd = (lines: ReadonlyArray<string>, to: number, ours: KnownTextMatcher): number => {
  const line = lines[to]
  const last = unmarked(lines[to - 1] ?? "")
  const isWrapped = line !== undefined && line !== "" && last.length > 40 && ours.repeats(`${last}${line}`)
  return isWrapped ? to + 1 : to
}

const isOurs = (block: ReadonlyArray<string>, ours: KnownTextMatcher): boolean =>
  block.some((line) => ours.repeats(unmarked(line)) || ours.hasAddress(line)) ||
  // A short message of ours is quoted in lines that say little one by one.
  ours.isWhole(block.map(unmarked).join(" "))

const without = (lines: ReadonlyArray<string>, all: ReadonlyArray<Quotation>): SplitText => {
  const wordsBetween = all.filter(({ to }, index) => hasWords(lines.slice(to, all[index + 1]?.from)))
  // Who answers line by line means each answer for what stands above it: that stays, and only the end goes.
  const cutAway = wordsBetween.length > 1 ? all.filter((each) => !wordsBetween.includes(each)) : all
  const isCut = (at: number): boolean => cutAway.some(({ from, to }) => from <= at && at < to)
  return {
    body: joined(lines.filter((_, at) => !isCut(at))),
    cut: joined(lines.filter((_, at) => isCut(at)))
  }
}

const hasWords = (lines: ReadonlyArray<string>): boolean => lines.some((line) => line !== "")

const joined = (lines: ReadonlyArray<string>): string => lines.join("\n").replace(/\n{4,}/g, "\n\n\n").trim()

/** Nothing of ours is in it: what a library knows of the world's mail programs. Signatures stay, they are the guest's. */
const stripUnknown = (text: string): SplitText => {
  const fragments = new EmailReplyParser().read(text).getFragments()
  let end = fragments.length
  while (end > 0 && fragments[end - 1]?.isHidden() === true) end--
  const quoted = fragments.slice(end).some((fragment) => fragment.isQuoted())
  if (!quoted) return { body: text.trim(), cut: "" }
  return {
    body: fragments.slice(0, end).join("\n").trim(),
    cut: fragments.slice(end).join("\n").trim()
  }
}
