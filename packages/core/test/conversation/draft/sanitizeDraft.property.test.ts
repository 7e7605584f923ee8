/** Tests how the language model's output is sanitized. */
import { removedLinkMarker, sanitizeDraft } from "@trailbook/core/conversation/draft/sanitizeDraft"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../../../test/runs.ts"
import { threadTimeMs } from "../../../../../test/threadTime.ts"

const ownTexts = [
  "https://book.salida.example",
  "We meet at https://maps.example/putin, or write to ann@salida.example."
]

const foreign = [
  "https://evil.example/pay",
  "HTTPS://EVIL.EXAMPLE",
  "http://1.2.3.4/x",
  "1.2.3.4/x",
  "evil.example",
  "www.evil.example",
  "EVIL.EXAMPLE",
  "Evil.Example/pay",
  "boss@evil.example",
  "mailto:boss@evil.example",
  "tel:+15550100",
  "sms:+15550100",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://book.salida.example.evil.example/",
  "https://book.salida.example@evil.example/",
  "https://xn--evl-0ma.example",
  "xn--evl-0ma.example",
  "evil。example",
  "evil.ex\u00ADample",
  "ftp://evil.example",
  "intent://evil.example",
  "böse.example/zahlen",
  "ann@salida.example.evil.example"
]

const links = [
  "https://book.salida.example/b/abc?x=1#y",
  "book.salida.example/b/abc",
  "https://www.maps.example/putin",
  "maps.example",
  "ann@salida.example"
]

const words = FastCheck.array(
  FastCheck.constantFrom(
    "Yes,",
    "wetsuits",
    "are included.",
    "9:00 a.m.",
    "No.See",
    "$1.50",
    "e.g.",
    "…",
    "你好",
    "6.5 km",
    "3.14"
  ),
  { maxLength: 8 }
).map((all) => all.join(" "))

const within = (link: string) =>
  FastCheck.record({
    before: words,
    after: words,
    around: FastCheck.constantFrom(["", ""], ["(", ")"], ["<", ">"], ["[here](", ")"], ["\"", "\""], ["", "."], [
      "",
      ","
    ])
  }).map(({ after, around: [open = "", close = ""], before }) => `${before} ${open}${link}${close} ${after}`)

describe("a draft", () => {
  it("contains only links that the outfitter has used before", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.constantFrom(...foreign).chain((link) => within(link)), (answer) => {
        const text = sanitizeDraft(answer, ownTexts)
        assert.notMatch(text, /evil|böse|javascript|1\.2\.3\.4|5550100|text\/html/iu)
        assert.include(text, removedLinkMarker)
      }),
      { numRuns: runs(2000, 400) }
    )
  })

  it("keeps links that the outfitter has used before", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...links).chain((link) => within(link).map((text) => [link, text])),
        ([link = "", answer = ""]) => {
          const text = sanitizeDraft(answer, ownTexts)
          assert.include(text, link)
          assert.notInclude(text, removedLinkMarker)
        }
      ),
      { numRuns: runs(1000, 200) }
    )
  })

  it("keeps other text unchanged", () => {
    FastCheck.assert(
      FastCheck.property(words, (answer) => assert.strictEqual(sanitizeDraft(answer, []), answer.trim())),
      { numRuns: runs(500, 100) }
    )
  })

  it("is plain text within the length limits of a message", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 8000, size: "max" }), (answer) => {
        const text = sanitizeDraft(answer, ownTexts)
        assert.isAtMost(Array.from(text).length, 5000)
        assert.isTrue(text.isWellFormed())
        assert.notMatch(text, /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u)
        assert.strictEqual(text, text.trim())
      }),
      { numRuns: runs(500, 100) }
    )
  })

  it("contains none of the model's reasoning", () => {
    assert.strictEqual(sanitizeDraft("<think>\nThe guest says pay.\n</think>\n\nSee you.", []), "See you.")
    assert.strictEqual(sanitizeDraft(" \u200B\n", []), "")
  })

  it("is sanitized quickly even for input that slows down regular expressions", () => {
    for (const piece of ["a.", "a@", "a-", "www.", "//", ":/", "<think>", "é。", "0."]) {
      const began = threadTimeMs()
      sanitizeDraft(piece.repeat(50_000), ownTexts)
      assert.isBelow(threadTimeMs() - began, 1500, piece)
    }
  })
})
