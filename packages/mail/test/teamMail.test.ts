/**
 * Tests staff members' replies by email, from the notification through the real listener to the guest. A fake DNS
 * resolver authenticates the domains.
 */
import { BookingWriter } from "@trailbook/core/booking"
import { GuestConversations, MailIntake, MessageStore } from "@trailbook/core/conversation"
import { ConversationWriter } from "@trailbook/core/conversation/ConversationWriter"
import { StaffConversations } from "@trailbook/core/conversation/StaffConversations"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { CustomerErasure } from "@trailbook/core/customer/erasure/CustomerErasure"
import { Attachments } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import type { Mail } from "@trailbook/core/mail"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Checkouts } from "@trailbook/core/payment"
import { AuditLog, StaffMembers } from "@trailbook/core/staff"
import { Tasks } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { DnsResolver } from "@trailbook/mail/inbound/checkDmarc"
import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import * as MemoryBudget from "@trailbook/mail/inbound/MemoryBudget"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import { parseForAllRecipients, type SharedParseRequest } from "@trailbook/mail/inbound/parse/parseMail"
import { parseProviderPayload } from "@trailbook/mail/inbound/parseProviderPayload"
import { listen } from "@trailbook/mail/inbound/SmtpListener"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles, FakeMailer } from "@trailbook/testkit/fakes"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { generateKeyPairSync } from "node:crypto"
import { createTransport } from "nodemailer"
import Dkim from "nodemailer/lib/dkim"
import MailComposer from "nodemailer/lib/mail-composer"
import { assert, describe, it } from "vitest"

const replyDomain = "in.trailbook.example"
const orgId = "0197a1b2-0000-7000-8000-000000000001"
const adaId = "0197a1b2-0000-7000-8000-000000000002"
const bo = "bo@pine.example"

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

/**
 * All `.example` domains publish a DKIM key and a DMARC policy, except that `lax.example` has no policy. Queries for
 * `down.example` fail.
 */
const dns: DnsResolver = (domain, type) => {
  if (domain.endsWith("down.example")) {
    return Promise.reject(Object.assign(new Error("no answer"), { code: "ESERVFAIL" }))
  }
  if (type === "TXT" && domain.startsWith("s._domainkey.")) {
    return Promise.resolve([[`v=DKIM1; k=rsa; p=${publicKey.toString("base64")}`]])
  }
  if (type === "TXT" && domain.startsWith("_dmarc.") && !domain.endsWith("lax.example")) {
    return Promise.resolve([["v=DMARC1; p=none"]])
  }
  return Promise.reject(Object.assign(new Error("no such record"), { code: "ENOTFOUND" }))
}

const reader = (transform: (request: SharedParseRequest) => SharedParseRequest = (request) => request) =>
  Layer.succeed(
    MailParserPool,
    MailParserPool.of({
      read: (request) => Effect.promise(() => parseForAllRecipients(transform(request), { resolver: dns })),
      unpack: (form) => Effect.sync(() => parseProviderPayload(form))
    })
  )

const by = { _tag: "Operator" } as const

const checkouts = Layer.provide(Checkouts.layer, BookingWriter.layer("none"))

const layers = (parserPool: Layer.Layer<MailParserPool>) =>
  Layer.mergeAll(
    TaskHandlers.layer({ publicUrl: "https://book.example", replyDomain }),
    GuestConversations.layer,
    StaffConversations.layer,
    CustomerErasure.layer,
    Layer.provide(StaffMembers.layer, AuditLog.layer),
    InboundMail.layer({ replyDomain }).pipe(Layer.provide(parserPool), Layer.provideMerge(MailIntake.layer))
  ).pipe(
    Layer.provide(Layer.merge(ConversationWriter.layer, checkouts)),
    Layer.provideMerge(Attachments.layer),
    Layer.provideMerge(
      Layer.mergeAll(MemoryStorage.layer, TestIds.layer(1), FakeFiles.layer, FakeMailer.layer, FakePayments.layer)
    )
  )

interface Answer {
  readonly from?: string
  readonly to: string
  readonly text?: string
  readonly signedBy?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that come before all others. */
  readonly before?: string
  readonly id?: string
  readonly envelopeFrom?: string
  readonly attachments?: ReadonlyArray<{ readonly filename: string; readonly content: string }>
}

let letters = 0

const composeMail = async (answer: Answer): Promise<Buffer> => {
  const from = answer.from ?? bo
  const plain = await new MailComposer({
    from,
    to: answer.to,
    subject: "Re: New message from Ada Park",
    text: answer.text ?? "Yes, they are.",
    messageId: `<${answer.id ?? `answer${letters++}`}@mail.pine.example>`,
    // The date is fixed, so that a second attempt sends the same email.
    date: new Date(0),
    headers: { ...answer.headers },
    attachments: [...answer.attachments ?? []]
  }).compile().build()
  const domainName = answer.signedBy === undefined ? from.slice(from.lastIndexOf("@") + 1) : answer.signedBy
  if (domainName === null) return plain
  const begin = Buffer.from(answer.before ?? "")
  const chunks = [begin]
  for await (const chunk of new Dkim({ domainName, keySelector: "s", privateKey }).sign(plain)) {
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

/** Sends an email to the listener and returns the response code: 250 or a rejection code. */
const handOver = (port: number, answer: Answer) =>
  Effect.promise(async () => {
    const transport = createTransport({ host: "127.0.0.1", port, lmtp: true, ignoreTLS: true })
    try {
      const { rejectedErrors } = await transport.sendMail({
        envelope: { from: answer.envelopeFrom ?? answer.from ?? bo, to: [answer.to] },
        raw: await composeMail(answer)
      })
      return rejectedErrors?.[0]?.responseCode ?? 250
    } catch (error) {
      return (error as { readonly responseCode?: number }).responseCode ?? 0
    } finally {
      transport.close()
    }
  })

const mails = Effect.flatMap(FakeMailer, ({ sent }) => sent)
const run = Effect.flatMap(Tasks, (tasks) => tasks.run(100))

let shiftMs = 0

/**
 * Advances the clock by 6 minutes and runs the due tasks: the second notification about a conversation, and then the
 * emails that it creates.
 */
const runLater = Effect.suspend(() => {
  shiftMs += 6 * 60_000
  return Effect.clockWith((clock) => {
    const later: Clock.Clock = Object.assign(Object.create(clock), {
      unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + shiftMs
    })
    return Effect.withClock(Effect.zipRight(run, run), later)
  })
})

const thread = Effect.flatMap(MessageStore, (store) =>
  store.list({
    orgId,
    conversationId: undefined,
    bookingId: undefined,
    customerId: undefined,
    after: undefined,
    limit: 500
  }))

const answers = Effect.map(
  thread,
  (rows) => rows.filter(({ channel, direction }) => direction === "to_guest" && channel !== "system")
)

/**
 * Sends a guest's question. The staff member receives an email about it. Passes the listener's port and the reply
 * address to `work`.
 */
const withQuestion = <A, E>(
  work: (fixture: { readonly port: number; readonly to: string; readonly notice: Mail }) => Effect.Effect<
    A,
    E,
    Layer.Layer.Success<ReturnType<typeof layers>>
  >,
  parserPool = reader()
) =>
  Effect.runPromise(
    Effect.scoped(Effect.gen(function*() {
      const createdAt = yield* currentTime
      yield* (yield* OrgStore).put(
        Org.make({ id: orgId, name: "Pine River", slug: "pine", timezone: "America/Denver", createdAt })
      )
      yield* (yield* CustomerStore).put([
        Customer.make({ id: adaId, orgId, email: "ada@guest.example", name: "Ada Park", createdAt })
      ])
      yield* (yield* StaffMembers).add({ orgId, email: bo, name: "Bo", by })
      yield* (yield* GuestConversations).ask({
        orgId,
        from: { name: "Ada Park", email: "ada@guest.example" },
        body: "Are wetsuits included in the price, or do we bring our own?"
      })
      yield* run
      const notice = (yield* mails).find(({ to }) => to.email === bo) ?? assert.fail("The staff got no email.")
      const room = MemoryBudget.make(100_000_000)
      const { port } = yield* listen({ protocol: "lmtp", host: "127.0.0.1", port: 0, name: replyDomain, budget: room })
      return yield* work({ port, notice, to: notice.replyTo?.email ?? "" })
    })).pipe(Effect.provide(layers(parserPool)), Logger.withMinimumLogLevel(LogLevel.None))
  )

const quoteBelow = (words: string) =>
  `${words}\n\nOn Sat, 2 May 2026 at 09:12, Pine River <bookings@pine.example> wrote:\n` +
  "> Are wetsuits included in the price, or do we bring our own?\n>\n> --\n> Ada Park wrote this to Pine River.\n"

describe("staff replies by email", () => {
  it("reach the guest once, without the quoted text", () =>
    withQuestion(({ port, to, notice }) =>
      Effect.gen(function*() {
        assert.match(to, /^team\+[0-9a-v]{52}@in\.trailbook\.example$/)
        assert.isAtMost(to.indexOf("@"), 64)
        assert.include(notice.text, "Reply to this email to answer the guest")
        const answer = { to, text: quoteBelow("Yes, they are. Bring socks."), id: "one" }
        assert.strictEqual(yield* handOver(port, answer), 250)
        // The sending server did not receive the response, so it retries.
        assert.strictEqual(yield* handOver(port, answer), 250)
        const [message, ...rest] = yield* answers
        assert.lengthOf(rest, 0)
        assert.deepInclude(message, {
          body: "Yes, they are. Bring socks.",
          direction: "to_guest",
          kind: "message",
          sentBy: "dashboard",
          channel: "email",
          customerId: adaId
        })
        yield* run
        const guestMails = (yield* mails).filter((mail) => mail.to.email === "ada@guest.example")
        assert.lengthOf(guestMails, 1)
        assert.match(guestMails[0]?.text ?? "", /^Yes, they are\. Bring socks\.\n\n-- /)
        assert.notInclude(JSON.stringify(guestMails), "team+")
        assert.notInclude(JSON.stringify(guestMails), bo)
        assert.match(guestMails[0]?.replyTo?.email ?? "", /^reply\+/)
        // The guest's reply triggers another notification to the staff member, from the same reply address.
        assert.strictEqual(
          yield* handOver(port, { from: "ada@guest.example", to: guestMails[0]?.replyTo?.email ?? "", text: "Great!" }),
          250
        )
        yield* runLater
        assert.deepStrictEqual(
          (yield* mails).filter((mail) => mail.to.email === bo).map(({ replyTo }) => replyTo?.email),
          [to, to]
        )
      })
    ))

  it("are accepted only from the notified staff member", () =>
    withQuestion(({ port, to }) =>
      Effect.gen(function*() {
        const others: ReadonlyArray<readonly [string, Answer]> = [
          ["a stranger", { to, from: "eve@evil.example" }],
          ["the guest", { to, from: "ada@guest.example" }],
          ["a colleague", { to, from: "cy@pine.example" }],
          ["a name that is an address", { to, from: `"${bo}" <eve@evil.example>` }],
          ["nobody's signature", { to, signedBy: null }],
          ["another's signature", { to, signedBy: "evil.example" }],
          ["two senders", { to, before: "From: eve@evil.example\r\n" }]
        ]
        for (const [who, answer] of others) assert.strictEqual(yield* handOver(port, answer), 550, who)
        assert.deepStrictEqual(yield* answers, [])
      })
    ))

  it("require a sender domain that can be verified", () =>
    withQuestion(({ port }) =>
      Effect.gen(function*() {
        const staff = yield* StaffMembers
        for (const [email, code] of [["bo@lax.example", 550], ["bo@down.example", 451]] as const) {
          yield* staff.add({ orgId, email, by })
          yield* (yield* GuestConversations).ask({
            orgId,
            from: { name: "Ada Park", email: "ada@guest.example" },
            body: "Hello?"
          })
          yield* runLater
          const notice = (yield* mails).findLast((mail) => mail.to.email === email)
          assert.strictEqual(yield* handOver(port, { from: email, to: notice?.replyTo?.email ?? "" }), code, email)
        }
        assert.deepStrictEqual(yield* answers, [])
      })
    ))

  it("are dropped silently if they are automatic", () =>
    withQuestion(({ port, to }) =>
      Effect.gen(function*() {
        const machines: ReadonlyArray<Partial<Answer>> = [
          { headers: { "Auto-Submitted": "auto-replied" } },
          { headers: { "X-Autoreply": "yes" } },
          { headers: { Precedence: "bulk" } },
          { headers: { "List-Id": "<all.pine.example>" } },
          { envelopeFrom: "" }
        ]
        for (const machine of machines) assert.strictEqual(yield* handOver(port, { to, ...machine }), 250)
        assert.deepStrictEqual(yield* answers, [])
        yield* run
        assert.lengthOf((yield* mails).filter((mail) => mail.to.email !== bo), 0)
      })
    ))

  it("are refused if they contain no text", () =>
    withQuestion(({ port, to }) =>
      Effect.gen(function*() {
        for (const text of ["", " \n", quoteBelow("")]) {
          assert.strictEqual(yield* handOver(port, { to, text }), 550, JSON.stringify(text))
        }
        assert.deepStrictEqual(yield* answers, [])
      })
    ))

  it("can include supported files", () =>
    withQuestion(({ port, to }) =>
      Effect.gen(function*() {
        const attachments = [
          { filename: "map.pdf", content: "%PDF-1.4\n%%EOF\n" },
          { filename: "run.exe", content: "MZ" }
        ]
        assert.strictEqual(yield* handOver(port, { to, text: "See the map.", attachments }), 250)
        const [message, note] = yield* answers
        assert.deepInclude(message, { body: "See the map.", kind: "message" })
        assert.strictEqual(note?.kind, "note")
        assert.match(note?.body ?? "", /run\.exe was not stored/)
        yield* run
        const guestMail = (yield* mails).find((mail) => mail.to.email === "ada@guest.example")
        assert.deepStrictEqual(guestMail?.attachments.map(({ name }) => name), ["map.pdf"])
        assert.notInclude(guestMail?.text ?? "", "run.exe")
      })
    ))

  it("are refused after the staff member or guest is removed", () =>
    withQuestion(({ port, to }) =>
      Effect.gen(function*() {
        const staff = yield* StaffMembers
        yield* staff.remove({ orgId, email: bo, by })
        assert.strictEqual(yield* handOver(port, { to }), 550)
        yield* staff.add({ orgId, email: bo, by })
        // The address now belongs to a new staff member, so the old reply address is still refused.
        assert.strictEqual(yield* handOver(port, { to }), 550)
        yield* (yield* GuestConversations).ask({
          orgId,
          from: { name: "Ada Park", email: "ada@guest.example" },
          body: "Hello?"
        })
        yield* runLater
        const again = (yield* mails).findLast((mail) => mail.to.email === bo)?.replyTo?.email ?? ""
        assert.strictEqual(yield* handOver(port, { to: again }), 250)
        yield* (yield* CustomerErasure).erase({ orgId, id: adaId })
        assert.strictEqual(yield* handOver(port, { to: again }), 550)
      })
    ))

  it("control: an unverified reply is accepted without the strict sender check", () =>
    withQuestion(
      ({ port, to }) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* handOver(port, { to, signedBy: null }), 250)
          assert.lengthOf(yield* answers, 1)
        }),
      reader((request) => ({
        ...request,
        to: request.to.map((to) => to === "reports" ? to : { ...to, strict: false })
      }))
    ))
})
