/**
 * Tests that the guest's own text survives, no matter how the reply quotes the original. The quotations imitate the
 * formats of mail programs and contain generated Trailbook emails.
 */
import type { KnownText } from "@trailbook/mail/inbound/parse/knownText"
import { truncateText, truncationMarker } from "@trailbook/mail/inbound/parse/plainText"
import { stripQuotedText } from "@trailbook/mail/inbound/parse/stripQuotedText"
import * as FastCheck from "effect/FastCheck"
import EmailReplyParser from "email-reply-parser"
import { assert, describe, test } from "vitest"
import { runs } from "../../../../test/runs.ts"

const orgName = "Pine River Outfitters"
const local = "reply+k7m2q9x4t5w8z3b6n1r0s2v4c8"
const address = `${local}@in.trailbook.example`

const words = [
  "yes",
  "no",
  "thanks",
  "Saturday",
  "we",
  "are",
  "four",
  "people",
  "and",
  "a",
  "dog",
  "9:30",
  "at",
  "the",
  "boathouse",
  "2026",
  "wrote",
  "On",
  "From",
  "Am",
  "Le",
  "allergy",
  "Grüße",
  "écrit",
  "ありがとう",
  "谢谢",
  "спасибо",
  "شكرا",
  "-",
  "--",
  ">",
  "_____",
  "*",
  ":",
  "<ada@example.com>",
  "https://a.example/?q=1",
  "😀",
  "Regards",
  "Sent",
  "Cheers,",
  "Name:",
  "Phone:",
  "P.S."
]
const sentence = FastCheck.array(FastCheck.constantFrom(...words), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(" "))
const text = FastCheck.array(
  FastCheck.oneof({ weight: 4, arbitrary: sentence }, { weight: 1, arbitrary: FastCheck.constant("") }),
  {
    minLength: 1,
    maxLength: 8
  }
).map((lines) => truncateText(lines.join("\n"))).filter((text) => /\p{L}/u.test(text))

/** Generates words that the guest does not use, because repeated words would look like a quotation. */
const ownText = FastCheck.array(
  FastCheck.array(
    FastCheck.constantFrom(
      "river",
      "gauge",
      "wetsuit",
      "shuttle",
      "paddle",
      "canyon",
      "river-left",
      "Wehr",
      "岩石",
      "plage"
    ),
    { minLength: 4, maxLength: 14 }
  ).map((words) => words.join(" ")),
  { minLength: 1, maxLength: 6 }
).map((lines) => lines.join("\n\n"))

const wrap = (text: string, width: number): string =>
  text.split("\n").flatMap((line) => {
    const lines: Array<string> = [""]
    for (const word of line.split(" ")) {
      const last = lines.at(-1) ?? ""
      if (last !== "" && last.length + word.length >= width) lines.push(word)
      else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
    }
    return lines
  }).join("\n")

const quote = (text: string, mark = "> "): string =>
  text.split("\n").map((line) => `${mark}${line}`.trimEnd()).join("\n")

/** The quotation formats of mail programs. Each consists of an introduction and the quoted text. */
const quotations: ReadonlyArray<(mail: string) => string> = [
  (mail) => `On Tue, Jun 2, 2026 at 9:14 AM ${orgName} <\n${address}> wrote:\n\n${quote(wrap(mail, 70))}`,
  (mail) => `Am Di., 2. Juni 2026 um 09:14 Uhr schrieb ${orgName} <${address}>:\n\n${quote(wrap(mail, 70))}`,
  (mail) => `2026年6月2日(火) 9:14 ${orgName} <${address}>:\n\n${quote(mail)}`,
  (mail) => quote(`On Jun 2, 2026, at 9:14 AM, ${orgName} <${address}> wrote:\n\n${mail}`),
  (mail) =>
    `From: ${orgName} <${address}>\nSent: Tuesday, June 2, 2026 9:14 AM\nTo: Ada\nSubject: Your float\n\n${mail}`,
  (mail) =>
    `${"_".repeat(32)}\nDe : ${orgName} <${address}>\nEnvoyé : mardi 2 juin 2026 09:14\nÀ : Ada\nObjet : x\n\n${mail}`,
  (mail) =>
    `------------------ 原始邮件 ------------------\n发件人: "${orgName}" <${address}>;\n发送时间: 2026年6月2日 9:14\n收件人: "Ada"\n主题: x\n\n${mail}`,
  (mail) => `On Tuesday, June 2, 2026 at 09:14:11 AM MDT, ${orgName} <${address}> wrote:\n\n${mail}`,
  (mail) =>
    `------- Original Message -------\nOn Tuesday, June 2nd, 2026 at 9:14 AM, ${orgName} <${address}> wrote:\n\n${
      quote(mail)
    }`,
  (mail) => `---- On Tue, 02 Jun 2026 09:14:11 -0600 ${orgName} <${address}> wrote ----\n\n${mail}`,
  (mail) => `On 6/2/26 9:14 AM, ${orgName} wrote:\n${quote(wrap(mail, 72), ">")}`
]

const reply = FastCheck.record({
  guest: text,
  sent: ownText,
  quotation: FastCheck.constantFrom(...quotations),
  before: FastCheck.array(ownText, { maxLength: 3 })
})

/**
 * Keeps only letters, digits, and symbols, because a horizontal rule that a guest draws directly above a quotation
 * counts as quoted.
 */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}\p{S}?]+/gu, " ").trim()

test("stripQuotedText keeps the guest's words above any quotation", () => {
  FastCheck.assert(
    FastCheck.property(reply, ({ before, guest, quotation, sent }) => {
      const sentMail: KnownText = { addresses: [local], orgName, sent: [sent, ...before] }
      const { body } = stripQuotedText(truncateText(`${guest}\n\n${quotation(sent)}`), sentMail)
      assert.include(lettersOf(body), lettersOf(guest))
    }),
    { numRuns: runs(20_000, 1500, 5000) }
  )
})

test("stripQuotedText removes the quoted text of Trailbook's email", () => {
  FastCheck.assert(
    FastCheck.property(reply, ({ before, guest, quotation, sent }) => {
      const { body } = stripQuotedText(truncateText(`${guest}\n\n${quotation(sent)}`), {
        addresses: [local],
        orgName,
        sent: [sent, ...before]
      })
      assert.notInclude(body, local)
      assert.notInclude(lettersOf(body), lettersOf(sent))
    }),
    { numRuns: runs(20_000, 1500, 5000) }
  )
})

test("stripQuotedText loses no text from an email without a quotation", () => {
  FastCheck.assert(
    FastCheck.property(text, FastCheck.array(ownText, { maxLength: 2 }), (guest, sent) => {
      // Text can end up in `cut` if it looks like the introduction of another quotation.
      const { body, cut } = stripQuotedText(guest, { addresses: [local], orgName, sent })
      assert.strictEqual(lettersOf(`${body} ${cut}`), lettersOf(guest))
      assert.notStrictEqual(body, "")
    }),
    { numRuns: runs(20_000, 1000, 5000) }
  )
})

test("control: email-reply-parser alone loses text that the guest wrote", () => {
  const parseAlone = (text: string) => new EmailReplyParser().parseReply(text)
  const lost = FastCheck.sample(reply, { numRuns: 300, seed: 7 }).filter(({ guest, quotation, sent }) =>
    !lettersOf(parseAlone(truncateText(`${guest}\n\n${quotation(sent)}`))).includes(lettersOf(guest))
  )
  assert.isAbove(lost.length, 10)
})

describe("a reply", () => {
  const sentMail: KnownText = {
    addresses: [local],
    orgName,
    sent: ["Shall we say Saturday at nine, at the boathouse?\n\nBring a warm layer and shoes that may get wet."]
  }

  test("keeps an answer that repeats words from the question", () => {
    const guest = "Yes!\nSaturday at nine, at the boathouse"
    assert.deepEqual(stripQuotedText(guest, sentMail), { body: guest, cut: "" })
  })

  test("keeps its text if it consists only of a quotation", () => {
    const all = quote(sentMail.sent[0] ?? "")
    assert.deepEqual(stripQuotedText(all, sentMail), { body: all, cut: "" })
  })

  test("keeps words that the guest quotes from a friend", () => {
    const guest = "My brother says:\n\n> Never go down there in June\n\nIs that so?"
    assert.strictEqual(stripQuotedText(guest, sentMail).body, guest)
  })

  test("keeps only the guest's text below the quotation", () => {
    const below = `On 6/2/26 9:14 AM, ${orgName} wrote:\n${quote(sentMail.sent[0] ?? "")}\n\nYes, both of us.`
    assert.strictEqual(stripQuotedText(below, sentMail).body, "Yes, both of us.")
  })

  test("keeps the guest's own list directly above the quotation headers", () => {
    const text = `Name: Ada\nTrip: ${orgName} half day\nPeople: 4\n\n${quotations[4]?.(sentMail.sent[0] ?? "")}`
    assert.strictEqual(stripQuotedText(text, sentMail).body, `Name: Ada\nTrip: ${orgName} half day\nPeople: 4`)
  })
})

describe("a long text", () => {
  test("is truncated at a length limit and marked as truncated", () => {
    assert.include(truncateText("a\n".repeat(5000)), truncationMarker)
    assert.include(truncateText("a".repeat(100_000)), truncationMarker)
    assert.isAtMost(truncateText("a\n".repeat(5000)).split("\n").length, 1001)
    assert.strictEqual(truncateText("a\n\n\n\n\n\n\n\nb"), "a\n\n\n\nb")
    assert.strictEqual(truncateText("\r\n\r\nHi\t there \r\n"), "Hi  there")
  })

  test("is processed in less than quadratic time", () => {
    const sentMail: KnownText = {
      addresses: [local],
      orgName,
      sent: Array.from({ length: 20 }, () => "abcdefghijklmnopqrst ".repeat(400))
    }
    const slow = [
      "\n".repeat(60_000),
      "-".repeat(60_000),
      "> ".repeat(30_000),
      "On a b wrote\n".repeat(5000),
      "在\n".repeat(5000),
      "Op a\n".repeat(5000),
      "abcdefghijklmnopqrst\n".repeat(5000) + "x",
      `Name: ${"a ".repeat(30_000)}`,
      "A: b\n".repeat(5000),
      `${" ".repeat(60_000)}x`,
      "From : a\n".repeat(5000),
      `${local} 9:14\n`.repeat(1000)
    ]
    for (const text of slow) {
      const before = process.cpuUsage()
      stripQuotedText(truncateText(text), sentMail)
      const { system, user } = process.cpuUsage(before)
      // The 1-second limit is far above any linear run and far below any quadratic one.
      assert.isBelow((user + system) / 1000, 1000, text.slice(0, 20))
    }
  })
})
