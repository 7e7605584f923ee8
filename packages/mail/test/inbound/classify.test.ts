import type { MailDropReason } from "@trailbook/core/conversation"
import { classifyMail, parseFromHeader } from "@trailbook/mail/inbound/classifyMail"
import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import PostalMime from "postal-mime"
import { assert, describe, test } from "vitest"
import * as FakeIntake from "./FakeIntake.ts"

/** Returns an accepted email with headers changed or added. */
const mailOf = (headers: Readonly<Record<string, string>>, extra: ReadonlyArray<string> = [], body = "Thanks!") => {
  const all = {
    From: "Ada Lovelace <ada@example.com>",
    To: FakeIntake.address,
    Subject: "Re: Your float",
    Date: "Tue, 02 Jun 2026 20:31:05 +0200",
    "Message-ID": "<one@mail.example.com>",
    ...headers
  }
  const lines = Object.entries(all).filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([...lines, ...extra, "", body].join("\r\n"))
}

const receive = async (
  raw: Uint8Array,
  from: string | null = "ada@example.com",
  to = FakeIntake.address,
  intake = FakeIntake.make()
) => {
  const inbound = InboundMail.layer({ replyDomain: FakeIntake.replyDomain }).pipe(
    Layer.provide([intake.layer, MailParserPool.layerInline])
  )
  const [received] = await Effect.runPromise(
    Effect.flatMap(InboundMail, (inbound) => inbound.receive(raw, { from, to: [to] }, "none")).pipe(
      Effect.provide(inbound)
    )
  )
  return { received, intake }
}

const dropOf = (reason: MailDropReason) => ({ _tag: "Dropped", reason }) as const

test("the mail reader accepts a guest's email only once", async () => {
  const intake = FakeIntake.make()
  const first = await receive(mailOf({}), "ada@example.com", FakeIntake.address, intake)
  const again = await receive(mailOf({}), "ada@example.com", FakeIntake.address, intake)
  assert.deepEqual([first.received, again.received], [{ _tag: "Taken" }, { _tag: "Taken" }])
  assert.lengthOf(intake.taken, 1)
  const [mail] = intake.taken
  assert.deepInclude(mail, {
    messageId: "<one@mail.example.com>",
    from: { name: "Ada Lovelace", email: "ada@example.com" },
    subject: "Re: Your float",
    body: "Thanks!",
    quotedText: "",
    automatic: false
  })
})

describe("the sender check", () => {
  test.each([
    ["another address", "Eve <eve@example.com>"],
    ["the guest's address as a name", "\"ada@example.com\" <eve@example.com>"],
    ["the guest's address as an encoded name", "=?utf-8?Q?ada=40example=2Ecom?= <eve@example.com>"],
    ["the guest's mailbox as an encoded name", "=?utf-8?Q?Ada_=3Cada=40example=2Ecom=3E?= <eve@example.com>"],
    ["two mailboxes", "Ada <ada@example.com>, Eve <eve@example.com>"],
    ["two mailboxes, the guest's last", "Eve <eve@example.com>, Ada <ada@example.com>"],
    ["a group", "Friends: Ada <ada@example.com>;"],
    ["two pairs of brackets", "<eve@example.com> <ada@example.com>"],
    ["a comment in place of an address", "eve@example.com (ada@example.com)"],
    ["a route", "<@evil.example:ada@example.com>"],
    ["a bracket that never ends", "Ada <ada@example.com"],
    ["words after the address", "Ada <ada@example.com> x"],
    ["nothing", ""]
  ])("rejects an email whose From header contains %s", async (_, from) => {
    const { intake, received } = await receive(mailOf({ From: from }))
    assert.deepEqual(received, dropOf("stranger"))
    assert.deepEqual([intake.taken.length, intake.drops], [0, ["stranger"]])
  })

  test("rejects an email with two From headers", async () => {
    for (const [first, second] of [["ada", "eve"], ["eve", "ada"], ["ada", "ada"]]) {
      const raw = mailOf({ From: `${first}@example.com` }, [`From: ${second}@example.com`])
      assert.deepEqual((await receive(raw)).received, dropOf("stranger"))
    }
  })

  test("control: the first address that the mail library returns can be forged", async () => {
    const isFromAda = async (raw: Uint8Array) => (await PostalMime.parse(raw)).from?.address === "ada@example.com"
    assert.isTrue(await isFromAda(mailOf({ From: "Ada <ada@example.com>, Eve <eve@example.com>" })))
    const two = mailOf({ From: "ada@example.com" }, ["From: eve@example.com"])
    const otherOrder = mailOf({ From: "eve@example.com" }, ["From: ada@example.com"])
    assert.isTrue(await isFromAda(two) || await isFromAda(otherOrder))
  })

  test("accepts the guest's address in any valid notation", async () => {
    for (
      const from of [
        "ada@example.com",
        "ADA@Example.COM",
        "<ada@example.com>",
        "\"Lovelace, Ada\" <ada@example.com>",
        "ada@example.com <ada@example.com>",
        "Ada (on the road) <ada@example.com>",
        "=?utf-8?B?QWRhIEzDtnZlbGFjZQ==?= <ada@example.com>"
      ]
    ) assert.deepEqual((await receive(mailOf({ From: from }))).received, { _tag: "Taken" }, from)
  })

  test("accepts an address only if the header contains it literally", () => {
    const pieces = FastCheck.constantFrom(..."<>@,;:\"\\() ".split(""), "ada", "eve", "example.com", "=?utf-8?Q?", "?=")
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: pieces, maxLength: 14 }), (text) => {
        const mailbox = parseFromHeader(text)
        if (mailbox === undefined) return
        // An accepted address appears unchanged in the text, with or without brackets, and nothing else is bracketed.
        assert.include(text.toLowerCase(), mailbox.email)
        assert.isAtMost(text.replace(/"(?:\\.|[^"\\])*"|\([^)]*\)/g, "").split("<").length, 2)
      }),
      { numRuns: 5000, examples: [["?=()@ada"], ["ada(x)@example.com"]] }
    )
  })
})

describe("an automatic email", () => {
  test.each(
    [
      ["automatic", { "Auto-Submitted": "auto-replied" }],
      ["automatic", { "Auto-Submitted": "auto-generated (vacation); owner-email=x" }],
      ["automatic", { "Content-Type": "multipart/report; report-type=disposition-notification; boundary=x" }],
      ["list", { Precedence: "bulk" }],
      ["list", { Precedence: "List" }],
      ["list", { Precedence: "junk" }],
      ["list", { "List-Id": "<rafters.example.com>" }],
      ["own", { "Message-ID": "<0197a1b2-0000-7000-8000-000000000001@in.trailbook.example>" }]
    ] as const
  )("is dropped as %s with the headers %j", async (reason, headers) => {
    const { intake, received } = await receive(mailOf(headers))
    assert.deepEqual(received, dropOf(reason))
    assert.deepEqual(intake.drops, [reason])
  })

  test("is recognized by its empty envelope sender alone", async () => {
    assert.deepEqual((await receive(mailOf({}), "")).received, dropOf("automatic"))
    assert.deepEqual((await receive(mailOf({ "Return-Path": "<>" }), null)).received, dropOf("automatic"))
    assert.deepEqual((await receive(mailOf({ "Return-Path": "<ada@example.com>" }), null)).received, { _tag: "Taken" })
  })

  test.each(
    [
      ["X-Autoreply", "yes", true],
      ["X-Autorespond", "Out of office", true],
      ["X-Mail-Autoreply", "1", true],
      ["X-Auto-Response-Suppress", "All", true],
      ["X-Auto-Response-Suppress", "DR, OOF, AutoReply", true],
      ["X-Auto-Response-Suppress", "None", false],
      ["Precedence", "auto_reply", true],
      ["Auto-Submitted", "no", false]
    ] as const
  )("with the header \"%s: %s\", is flagged as automatic: %s", async (name, value, isAutomatic) => {
    const { intake } = await receive(mailOf({ [name]: value }))
    assert.deepEqual(intake.taken.map(({ automatic }) => automatic), [isAutomatic])
  })

  test("control: a vacation reply without its Auto-Submitted header is accepted", () => {
    const headers = [{ key: "from", value: "ada@example.com" }]
    const facts = { senderEmail: "ada@example.com", replyDomain: FakeIntake.replyDomain }
    const holiday = [...headers, { key: "auto-submitted", value: "auto-replied" }]
    assert.strictEqual(classifyMail(holiday, { from: "ada@example.com" }, facts)._tag, "Dropped")
    assert.strictEqual(classifyMail(headers, { from: "ada@example.com" }, facts)._tag, "Heard")
  })
})

describe("a recipient address", () => {
  test("must exist, or the email is dropped", async () => {
    for (const to of ["reply+unknowntokenunknowntoken@in.trailbook.example", "jo@in.trailbook.example", ""]) {
      const { received } = await receive(mailOf({}), "ada@example.com", to)
      assert.deepEqual(received, dropOf("unknown_address"))
    }
    const { received } = await receive(mailOf({}), "ada@example.com", FakeIntake.address.replace("in.", "out."))
    assert.deepEqual(received, dropOf("unknown_address"))
  })

  test("is case-insensitive", async () => {
    assert.deepEqual((await receive(mailOf({}), "ada@example.com", FakeIntake.address.toUpperCase())).received, {
      _tag: "Taken"
    })
  })
})

test("the mail reader stores a placeholder if an email cannot be parsed", async () => {
  const boundaries = Array.from(
    { length: 200 },
    (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`
  ).join("")
  const raw = Buffer.from(
    `From: ada@example.com\r\nMessage-ID: <deep@example.com>\r\nSubject: Deep\r\n${boundaries}\r\nHi`
  )
  const { intake } = await receive(raw)
  assert.deepInclude(intake.taken[0], { subject: "Deep", messageId: "<deep@example.com>" })
  assert.include(intake.taken[0]?.body, "cannot be shown")
})

test("the mail reader drops and counts an email that is too large", async () => {
  const { intake } = await receive(Buffer.concat([mailOf({}), Buffer.alloc(26 * 1024 * 1024, 97)]))
  assert.deepEqual(intake.drops, ["too_large"])
})

test("the mail reader accepts a resent email after a database outage", async () => {
  const intake = FakeIntake.make()
  intake.broken = true
  const hasFailed = await receive(mailOf({}), "ada@example.com", FakeIntake.address, intake).then(
    () => false,
    () => true
  )
  assert.isTrue(hasFailed)
  intake.broken = false
  await receive(mailOf({}), "ada@example.com", FakeIntake.address, intake)
  assert.lengthOf(intake.taken, 1)
})
