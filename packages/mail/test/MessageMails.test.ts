/** Tests conversation emails and their delivery states. */
import { describe, it } from "@effect/vitest"
import { BookingStore, BookingWriter } from "@trailbook/core/booking"
import {
  ConversationStore,
  deriveFileKey,
  FileLinks,
  GuestConversations,
  MailIntake,
  MessageStore,
  type ParsedMail
} from "@trailbook/core/conversation"
import { ConversationWriter } from "@trailbook/core/conversation/ConversationWriter"
import { type SendMessageRequest, StaffConversations } from "@trailbook/core/conversation/StaffConversations"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { CustomerErasure } from "@trailbook/core/customer/erasure/CustomerErasure"
import { Attachments } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import type { Mail } from "@trailbook/core/mail"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Checkouts } from "@trailbook/core/payment"
import { Ids } from "@trailbook/core/port"
import { StaffStore } from "@trailbook/core/staff"
import { Tasks } from "@trailbook/core/task"
import * as Instant from "@trailbook/core/time/Instant"
import { buildMimeMessage } from "@trailbook/mail/mimeMessage"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles, FakeMailer } from "@trailbook/testkit/fakes"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import PostalMime from "postal-mime"
import { assert } from "vitest"
import { runs } from "../../../test/runs.ts"

const checkouts = Layer.provide(Checkouts.layer, BookingWriter.layer("none"))

const worldOf = (replyDomain: string | undefined) =>
  Layer.mergeAll(
    TaskHandlers.layer({ publicUrl: "https://book.example", replyDomain }).pipe(Layer.provide(checkouts)),
    GuestConversations.layer,
    MailIntake.layer,
    StaffConversations.layer,
    CustomerErasure.layer
  ).pipe(
    Layer.provide(ConversationWriter.layer),
    Layer.provideMerge(Layer.provideMerge(FileLinks.layer, Attachments.layer)),
    Layer.provideMerge(
      Layer.mergeAll(MemoryStorage.layer, TestIds.layer(1), FakeFiles.layer, FakeMailer.layer, FakePayments.layer)
    )
  )

const world = worldOf("reply.example")
const orgId = "0197a1b2-0000-7000-8000-000000000001"
const start = Instant.make(Date.UTC(2026, 4, 1, 15))
const ada = Customer.make({
  id: "0197a1b2-0000-7000-8000-000000000002",
  orgId,
  email: "ada@example.com",
  name: "Ada Park",
  createdAt: start
})

const setUp = (orgFields: Partial<Org.Org> = {}) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(start)
    const org = Org.make({ id: orgId, name: "Pine River", slug: "pine", timezone: "America/Denver", createdAt: start })
    yield* (yield* OrgStore).put({ ...org, ...orgFields })
    yield* (yield* CustomerStore).put([ada])
  })

const send = (input: Partial<SendMessageRequest> = {}) =>
  Effect.flatMap(StaffConversations, (messages) =>
    Effect.map(
      messages.send({
        orgId,
        to: { customerId: ada.id },
        body: "See you at the put-in.",
        subject: "",
        kind: "message",
        sentBy: "dashboard",
        files: [],
        keyed: () => undefined,
        ...input
      }),
      ({ message }) => message
    ))

const run = Effect.flatMap(Tasks, (tasks) => tasks.run(100))
const sentMails = Effect.flatMap(FakeMailer, (mailbox) => mailbox.sent)

const conversation = Effect.gen(function*() {
  const [match] = yield* (yield* ConversationStore).findByCustomer([ada])
  return match ?? assert.fail("The guest has no conversation.")
})
const token = Effect.map(conversation, ({ token }) => token)

const findMessage = (id: string) =>
  Effect.gen(function*() {
    const [message] = yield* (yield* MessageStore).find([{ orgId, id }])
    return message ?? assert.fail("The message is not stored.")
  })

const reply = (
  body: string,
  mailKey: string,
  automatic = false,
  files: ParsedMail["files"] = [],
  subject = "Re: something"
) =>
  Effect.gen(function*() {
    const outcome = yield* (yield* MailIntake).acceptReply({
      purpose: "reply",
      token: yield* token,
      mailKey,
      messageId: `<${mailKey}@example.com>`,
      from: { name: "Ada", email: "ADA@example.com" },
      subject,
      body,
      quotedText: "",
      files,
      automatic
    })
    assert.strictEqual(outcome, "taken")
  })

describe("a message to a guest", () => {
  it.effect("is emailed once with the conversation's reply address", () =>
    Effect.gen(function*() {
      yield* setUp()
      const message = yield* send({ subject: "Your trip" })
      assert.strictEqual(yield* run, 1)
      assert.strictEqual(yield* run, 0)
      const [mail, ...rest] = yield* sentMails
      assert.deepStrictEqual(rest, [])
      assert.deepInclude(mail, {
        id: message.id,
        from: { name: "Pine River" },
        to: { name: "Ada Park", email: "ada@example.com" },
        replyTo: { name: "Pine River", email: `reply+${yield* token}@reply.example` },
        subject: "Your trip",
        thread: null,
        automatic: "no",
        bounceToken: message.bounceToken
      })
      assert.match(mail?.text ?? "", /^See you at the put-in\.\n\n-- \nPine River\nYou can reply to this email\.\n$/)
      assert.strictEqual((yield* findMessage(message.id)).deliveredAt, start)
    }).pipe(Effect.provide(world)))

  it.effect("gets its delivery status from the mail server", () =>
    Effect.gen(function*() {
      yield* setUp()
      const mailbox = yield* FakeMailer
      yield* mailbox.promiseReports(true)
      const first = yield* send()
      yield* run
      assert.isNull((yield* findMessage(first.id)).deliveredAt)
      yield* (yield* MailIntake).recordReport({
        bounceToken: first.bounceToken ?? "",
        outcome: "delivered",
        failure: null
      })
      assert.strictEqual((yield* findMessage(first.id)).deliveredAt, start)

      yield* mailbox.refuseAddress(ada.email, "permanently")
      const second = yield* send()
      yield* run
      const { deliveredAt, failedAt, failure } = yield* findMessage(second.id)
      assert.deepStrictEqual([deliveredAt, failedAt, failure], [null, start, "The address does not exist."])
      const [conversation] = yield* (yield* ConversationStore).findByCustomer([ada])
      assert.strictEqual(conversation?.bouncedAt, start)
    }).pipe(Effect.provide(world)))

  it.effect("notifies the staff once if it fails permanently", () =>
    Effect.gen(function*() {
      yield* setUp()
      const member = { id: ada.id, orgId, email: "guide@example.com", name: "", role: "staff", notify: true } as const
      yield* (yield* StaffStore).put({ ...member, createdAt: start })
      yield* (yield* CustomerStore).put([{ ...ada, phone: "+1 719 555 0100" }])
      const { bounceToken } = yield* send({ subject: "Canceled: Raft", sentBy: "agent" })
      yield* run
      const { recordReport } = yield* MailIntake
      for (const failure of ["550 5.1.1 No such user.", "again"]) {
        yield* recordReport({ bounceToken: bounceToken ?? "", outcome: "failed", failure })
      }
      yield* run
      const [, notice, ...rest] = yield* sentMails
      assert.deepStrictEqual(rest, [])
      assert.deepInclude(notice, {
        to: { name: "", email: "guide@example.com" },
        subject: "Call Ada Park: cancellation not delivered",
        replyTo: null
      })
      assert.match(
        notice?.text ?? "",
        /^“Canceled: Raft” did not reach ada@example\.com: 550 5\.1\.1 No such user\.\n\nGuest: Ada Park\nPhone: \+1 719 555 0100\n/
      )
    }).pipe(Effect.provide(world)))

  it.effect("is addressed to the name on its booking", () =>
    Effect.gen(function*() {
      const { booking } = yield* seedOneOfEachResource
      const contact = { email: "shared@example.com", name: "Grace Park", phone: "" }
      yield* (yield* BookingStore).put([{ ...booking, contact }])
      yield* send({ orgId: booking.orgId, to: { bookingId: booking.id } })
      yield* run
      assert.strictEqual((yield* sentMails)[0]?.to.name, "Grace Park")
    }).pipe(Effect.provide(world)))

  it.effect("continues the email thread of the guest's latest message", () =>
    Effect.gen(function*() {
      yield* setUp()
      const first = yield* send({ subject: "Your trip" })
      yield* send({ subject: "Gift cards" })
      yield* run
      yield* reply("Which bridge?", "one", false, [], "RE: Re: Your trip")
      const second = yield* send()
      yield* TestClock.adjust(1)
      const third = yield* send({ to: { conversationId: (yield* conversation).id } })
      yield* run
      const mails = (yield* sentMails).slice(-2)
      assert.deepStrictEqual(mails.map(({ id, subject }) => [id, subject]), [
        [second.id, "Re: Your trip"],
        [third.id, "Re: Your trip"]
      ])
      assert.deepStrictEqual(mails[0]?.thread, {
        inReplyTo: "<one@example.com>",
        references: [`<${first.id}@reply.example>`, "<one@example.com>"]
      })
      assert.deepStrictEqual(mails[1]?.thread?.references, [
        `<${first.id}@reply.example>`,
        "<one@example.com>",
        `<${second.id}@reply.example>`
      ])
      // The API shows the email's subject.
      assert.strictEqual((yield* findMessage(second.id)).subject, "Re: Your trip")
    }).pipe(Effect.provide(world)))

  it.effect("with its own subject, starts a new email thread", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* send({ subject: "Canceled: Raft", sentBy: "agent" })
      yield* run
      yield* reply("Thanks", "one", false, [], "Re: Canceled: Raft")
      yield* send({ subject: "Tomorrow: Kayak", sentBy: "agent" })
      yield* send({ subject: "Meet 15 minutes earlier" })
      yield* run
      assert.deepStrictEqual((yield* sentMails).map(({ automatic, subject, thread }) => [subject, thread, automatic]), [
        ["Canceled: Raft", null, "generated"],
        ["Tomorrow: Kayak", null, "generated"],
        ["Meet 15 minutes earlier", null, "no"]
      ])
    }).pipe(Effect.provide(world)))

  it.effect("starts a new email thread unless it answers the guest", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* send()
      yield* reply("Which bridge?", "one")
      yield* send({ to: { conversationId: (yield* conversation).id } })
      yield* send()
      yield* run
      assert.deepStrictEqual((yield* sentMails).map(({ subject, thread }) => [subject, thread === null]), [
        ["A message from Pine River", true],
        ["Re: something", false],
        ["A message from Pine River", true]
      ])
    }).pipe(Effect.provide(world)))

  it.effect("has no reply address without inbound mail", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* send()
      yield* send()
      yield* run
      assert.deepStrictEqual((yield* sentMails).map(({ replyTo, thread }) => [replyTo, thread]), [[null, null], [
        null,
        null
      ]])
    }).pipe(Effect.provide(worldOf(undefined))))

  it.effect("sends no email for a note or an erased guest", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* send({ kind: "note" })
      yield* send()
      yield* (yield* CustomerErasure).erase(ada)
      yield* run
      assert.deepStrictEqual(yield* sentMails, [])
    }).pipe(Effect.provide(world)))

  it.effect("is emailed as plain text and as escaped HTML", () =>
    Effect.gen(function*() {
      yield* setUp()
      const words = FastCheck.sample(FastCheck.string({ unit: "binary", minLength: 1, maxLength: 60 }), 60)
      for (const body of [...words, "<b>&\"'</b>\r\n\r\n.\r\nBcc: eve@example.com", "a\n\n\n\nb"]) {
        yield* send({ body, subject: body })
      }
      yield* run
      for (const { html, subject, text } of yield* sentMails) {
        assert.notMatch(subject, /[\p{Cc}\u2028\u2029]/u)
        assert.notInclude(html, "<b>")
        assert.notMatch(text, /\r/)
      }
    }).pipe(Effect.provide(world)))

  it("contains no headers injected through names or text", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(hostile, { minLength: 10, maxLength: 10 }), (texts) =>
        Effect.runPromise(
          Effect.gen(function*() {
            const [
              name = "",
              guest = "",
              person = "",
              subject = "",
              body = "",
              replyWindow = "",
              awayNotice = "",
              id = "",
              replyBody = "",
              about = ""
            ] = texts
            yield* setUp({ name, autoAck: true, replyWindow, awayNotice })
            yield* (yield* CustomerStore).put([{ ...ada, name: guest }])
            const member = {
              id: ada.id,
              orgId,
              email: "guide@example.com",
              name: person,
              role: "staff",
              notify: true
            } as const
            yield* (yield* StaffStore).put({ ...member, createdAt: start })
            const { id: file } = yield* (yield* Attachments).keep({ orgId, name: about, bytes: jpeg() })
            yield* send({ subject, body: body || "Hi", files: [{ id: file, name: about }] })
            yield* run
            const reply = {
              purpose: "reply" as const,
              token: yield* token,
              mailKey: "one",
              messageId: id,
              from: { name: guest, email: ada.email },
              subject: about,
              body: replyBody,
              quotedText: "",
              files: [],
              automatic: false
            }
            assert.strictEqual(yield* (yield* MailIntake).acceptReply(reply), "taken")
            yield* send({ subject: about, body: replyBody || "Hi" })
            yield* run
            const bob = { name: person, email: "bob@example.com" }
            yield* (yield* GuestConversations).ask({ orgId, from: bob, body: replyBody || "Hi" })
            yield* run
            const mails = yield* sentMails
            // The guest receives two emails and the acknowledgment. Each inquiry triggers one email to the staff and
            // one to the sender.
            assert.includeMembers(mails.map(({ automatic }) => automatic), ["no", "replied", "generated"])
            for (const mail of mails) {
              const raw = yield* buildMimeMessage(mail, { from: "bookings@example.com", date: start })
              const { attachments, from, headers, replyTo, to } = yield* Effect.promise(() => PostalMime.parse(raw))
              const keys = headers.map(({ key }) => key)
              assert.deepEqual(keys.filter((key) => !knownHeaders.has(key)), [])
              assert.strictEqual(new Set(keys).size, keys.length)
              assert.strictEqual(from?.address, "bookings@example.com")
              assert.deepEqual(to?.map(({ address }) => address), [mail.to.email])
              assert.deepEqual(replyTo?.map(({ address }) => address), mail.replyTo ? [mail.replyTo.email] : undefined)
              assert.lengthOf(attachments, mail.attachments.length)
              assert.notMatch(Buffer.from(raw).toString("latin1"), /[^\r]\n/)
            }
          }).pipe(Effect.provide(world), Effect.provide(TestContext.TestContext))
        )),
      { numRuns: runs(100, 15) }
    ), 60_000)
})

/** Text that would inject a header, an address, or an email if the mailer trusted it. */
const hostile = FastCheck.oneof(
  FastCheck.constantFrom(
    "Ada\r\nBcc: everyone@example.com",
    "\"Ada\" <eve@example.com>, other",
    "=?utf-8?Q?=0D=0ABcc=3A?= eve@example.com",
    "<a@b>\r\nX-Evil: 1",
    "x\n\n.\r\nMAIL FROM:<eve@example.com>",
    "--\r\nContent-Type: text/html\r\n\r\n<b>",
    "\u2028\u0085\u202Egnp.exe"
  ),
  FastCheck.string({ unit: FastCheck.constantFrom(..."\r\n:<>\",;@ aé.=?-".split("")), maxLength: 40 }),
  FastCheck.string({ unit: "binary", maxLength: 40 })
)

const knownHeaders = new Set([
  "auto-submitted",
  "content-transfer-encoding",
  "content-type",
  "date",
  "from",
  "in-reply-to",
  "message-id",
  "mime-version",
  "references",
  "reply-to",
  "subject",
  "to",
  "x-auto-response-suppress"
])

const jpeg = () => {
  const bytes = Uint8Array.from(
    "ffd8ffc0000b080001000101011100ffda0008010100003f00d2cf20ffd9".match(/../g) ?? [],
    (byte) => Number.parseInt(byte, 16)
  )
  return bytes
}

describe("a file", () => {
  it.effect("is attached to only one message", () =>
    Effect.gen(function*() {
      yield* setUp()
      const { id, size } = yield* (yield* Attachments).keep({ orgId, name: "put-in.jpg", bytes: jpeg() })
      yield* send({ files: [{ id, name: "The put-in\r\nBcc: eve@example.com" }] })
      yield* run
      const [mail] = yield* sentMails
      assert.deepStrictEqual(
        mail?.attachments.map(({ content, name, type }) => [name, type, content.length]),
        [["The put-in Bcc: eve@example.com", "image/jpeg", size]]
      )
      const refusal = yield* Effect.flip(send({ files: [{ id, name: "again" }] }))
      assert.strictEqual(refusal.code, "attachment_used")
      assert.strictEqual((yield* (yield* MessageStore).latest(yield* conversation, 10)).length, 1)
    }).pipe(Effect.provide(world)))

  it.effect("is sent as a link if its email would be too large", () =>
    Effect.gen(function*() {
      yield* setUp()
      const { keep } = yield* Attachments
      const pdf = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, "%PDF-1.7\n")
      const files: Array<{ readonly id: string; readonly name: string }> = []
      for (const [name, megabytes] of [["map.pdf", 5], ["<b>photos", 4], ["waiver.pdf", 2]] as const) {
        files.push({ id: (yield* keep({ orgId, name, bytes: pdf(megabytes) })).id, name })
      }
      const message = yield* send({ files })
      yield* run
      const [mail] = yield* sentMails
      assert.deepStrictEqual(mail?.attachments.map(({ name }) => name), ["map.pdf", "waiver.pdf"])
      const [, name, org = "", id = "", key = ""] =
        /\n(.*) \(4 MB\):\nhttps:\/\/book\.example\/files\/([\w-]+)\/([\w-]+)\/(\w+)\n/.exec(mail?.text ?? "") ?? []
      assert.deepStrictEqual([name, org, id], ["<b>photos", orgId, files[1]?.id])
      assert.include(
        mail?.html,
        `<a href="https://book.example/files/${org}/${id}/${key}">&#60;b&#62;photos (4 MB)</a>`
      )

      const fileLinks = yield* FileLinks
      assert.strictEqual((yield* fileLinks.find({ orgId, id, key })).id, id)
      const { content } = yield* fileLinks.open({ orgId, id, key })
      assert.strictEqual((yield* Effect.promise(() => new Response(content).arrayBuffer())).byteLength, 4 * 1024 * 1024)
      const wrong = [
        { orgId, id: files[0]?.id ?? "", key },
        { orgId, id, key: "" },
        { orgId, id, key: message.bounceToken ?? "" },
        { orgId: ada.id, id, key }
      ]
      for (const file of wrong) assert.strictEqual((yield* Effect.flip(fileLinks.find(file))).code, "not_found")
      yield* (yield* CustomerErasure).erase(ada)
      assert.strictEqual((yield* Effect.flip(fileLinks.open({ orgId, id, key }))).code, "not_found")
    }).pipe(Effect.provide(world)))

  it.effect("has no link if it belongs to an internal note", () =>
    Effect.gen(function*() {
      yield* setUp()
      const { id } = yield* (yield* Attachments).keep({ orgId, name: "a.jpg", bytes: jpeg() })
      const note = yield* send({ kind: "note", files: [{ id, name: "a.jpg" }] })
      assert.isUndefined(deriveFileKey(yield* Ids, note, id))
      const { find } = yield* FileLinks
      assert.strictEqual((yield* Effect.flip(find({ orgId, id, key: "undefined" }))).code, "not_found")
    }).pipe(Effect.provide(world)))

  it.effect("is attached to the staff's email if a guest sent it", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* (yield* StaffStore).put({
        id: "0197a1b2-0000-7000-8000-000000000011",
        orgId,
        email: "bo@pine.example",
        name: "Bo",
        role: "staff",
        notify: true,
        createdAt: start
      })
      yield* send()
      const waiver = { name: "waiver.pdf", type: "application/pdf", bytes: Buffer.alloc(8 * 1024 * 1024, "%PDF-1.7\n") }
      yield* reply("Here?", "photos", false, [{ name: "bridge.jpg", type: "image/jpeg", bytes: jpeg() }, waiver])
      yield* run
      const mail = (yield* sentMails).find(({ to }) => to.email === "bo@pine.example")
      assert.deepStrictEqual(mail?.attachments.map(({ name, type }) => [name, type]), [["bridge.jpg", "image/jpeg"]])
      const { id } = yield* conversation
      assert.include(
        mail?.text,
        `Open the conversation to see waiver.pdf:\nhttps://book.example/dashboard/inbox/${id}\n`
      )
      assert.include(mail?.html, `<a href="https://book.example/dashboard/inbox/${id}">`)
    }).pipe(Effect.provide(world)))

  it.effect("is attached to an email about several messages", () =>
    Effect.gen(function*() {
      yield* setUp()
      const member = { id: ada.id, orgId, email: "bo@pine.example", name: "Bo", role: "staff", notify: true } as const
      yield* (yield* StaffStore).put({ ...member, createdAt: start })
      yield* send()
      yield* reply("Here?", "first")
      yield* run
      for (const name of ["bridge.jpg", "river.jpg"]) {
        yield* TestClock.adjust("1 minute")
        yield* reply("", name, false, [{ name, type: "image/jpeg", bytes: jpeg() }])
      }
      yield* TestClock.adjust("5 minutes")
      yield* run
      const mail = (yield* sentMails).findLast(({ to }) => to.email === "bo@pine.example")
      assert.strictEqual(mail?.subject, "2 new messages from Ada Park")
      assert.deepStrictEqual(mail?.attachments.map(({ name }) => name), ["bridge.jpg", "river.jpg"])
    }).pipe(Effect.provide(world)))

  it.effect("is stored with the guest's message if it arrives by email", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* send()
      const files = [
        { name: "bridge.jpg", type: "image/jpeg", bytes: jpeg() },
        { name: "run.exe", type: "image/jpeg", bytes: new Uint8Array([77, 90]) }
      ]
      yield* reply("Here?", "one", false, files)
      const list = yield* (yield* StaffConversations).listMessages({
        orgId,
        conversationId: undefined,
        bookingId: undefined,
        customerId: ada.id,
        after: undefined,
        limit: 10
      })
      const guestMessage = list.find(({ message }) => message.sentBy === "guest")
      assert.deepStrictEqual(guestMessage?.attachments.map(({ name }) => name), ["bridge.jpg"])
      assert.match(guestMessage?.message.body ?? "", /^Here\?\n\n\[run\.exe was not stored: /)
    }).pipe(Effect.provide(world)))
})

describe("an email about a booking", () => {
  it.effect("adds only one note if it fails repeatedly", () =>
    Effect.gen(function*() {
      yield* setUp()
      yield* send({ kind: "note", body: "Ada called." })
      const member = { id: ada.id, orgId, email: "guide@example.com", name: "", role: "staff", notify: true } as const
      yield* (yield* StaffStore).put({ ...member, createdAt: start })
      const { recordReport } = yield* MailIntake
      const bounceToken = yield* token
      const staffMails = Effect.gen(function*() {
        yield* run
        return (yield* sentMails).map(({ replyTo, subject, to }) => [to.email, subject, replyTo])
      })
      const mail = ["guide@example.com", "Email not delivered to Ada Park", null]
      yield* recordReport({ bounceToken, outcome: "delivered", failure: null })
      assert.deepStrictEqual(yield* staffMails, [])
      for (const failure of ["550 5.1.1 no such user", "again"]) {
        yield* recordReport({ bounceToken, outcome: "failed", failure })
      }
      assert.deepStrictEqual(yield* staffMails, [mail])
      const [note, ...before] = yield* (yield* MessageStore).latest(yield* conversation, 10)
      assert.deepInclude(note, {
        kind: "note",
        sentBy: "agent",
        body: "An email about a booking did not reach ada@example.com: 550 5.1.1 no such user"
      })
      assert.lengthOf(before, 1)
      assert.strictEqual((yield* conversation).bouncedAt, start)
      assert.isNull((yield* conversation).lastBy)

      yield* recordReport({ bounceToken, outcome: "delivered", failure: null })
      assert.isNull((yield* conversation).bouncedAt)
      yield* recordReport({ bounceToken, outcome: "complained", failure: null })
      assert.deepStrictEqual(yield* staffMails, [mail, mail])
      yield* (yield* CustomerErasure).erase(ada)
      yield* recordReport({ bounceToken, outcome: "failed", failure: "of ada@example.com" })
      const rows = yield* (yield* MessageStore).latest(yield* conversation, 10)
      assert.notInclude(JSON.stringify(rows), "ada@")
      assert.lengthOf(rows, 3)
    }).pipe(Effect.provide(world)))
})

describe("a message from a guest", () => {
  const automatic = (mails: ReadonlyArray<Mail>) => mails.filter((mail) => mail.automatic === "replied")

  it.effect("is acknowledged at most once a day", () =>
    Effect.gen(function*() {
      yield* setUp({ autoAck: true, replyWindow: "within a day", awayNotice: "We are on the river." })
      yield* send()
      yield* reply("Away until May.", "zero", true)
      yield* run
      assert.deepStrictEqual(automatic(yield* sentMails), [])
      yield* reply("Which bridge?", "one")
      yield* reply("The old one?", "two")
      yield* run
      const [ack, ...rest] = automatic(yield* sentMails)
      assert.deepStrictEqual(rest, [])
      assert.include(ack?.text, "within a day")
      assert.include(ack?.text, "We are on the river.")
      yield* TestClock.adjust("24 hours")
      yield* reply("Hello?", "three")
      yield* run
      assert.strictEqual(automatic(yield* sentMails).length, 2)
    }).pipe(Effect.provide(world)))

  it.effect("is stored but triggers no email if it is automatic", () =>
    Effect.gen(function*() {
      yield* setUp({ autoAck: true })
      yield* (yield* StaffStore).put({
        id: "0197a1b2-0000-7000-8000-000000000011",
        orgId,
        email: "bo@pine.example",
        name: "Bo",
        role: "staff",
        notify: true,
        createdAt: start
      })
      yield* send()
      yield* run
      const before = yield* conversation
      const mailCount = (yield* sentMails).length
      yield* reply("Away until May.", "away", true)
      yield* run
      assert.deepStrictEqual(yield* conversation, before)
      assert.lengthOf(yield* sentMails, mailCount)
      const [message] = yield* (yield* MessageStore).latest(before, 1)
      assert.deepInclude(message, { body: "Away until May.", channel: "system", direction: "to_outfitter" })
    }).pipe(Effect.provide(world)))

  it.effect("is emailed to staff members who have notifications enabled", () =>
    Effect.gen(function*() {
      yield* setUp()
      const staff = yield* StaffStore
      for (const [n, notify] of [[1, true], [2, true], [3, false]] as const) {
        const id = `0197a1b2-0000-7000-8000-00000000001${n}`
        yield* staff.put({
          id,
          orgId,
          email: `guide${n}@example.com`,
          name: "",
          role: "staff",
          notify,
          createdAt: start
        })
      }
      const mailbox = yield* FakeMailer
      yield* mailbox.refuseAddress("guide2@example.com", "for now")
      yield* (yield* GuestConversations).ask({
        orgId,
        from: { name: "Bob", email: "bob@example.com" },
        body: "Is it wet?"
      })
      yield* run
      yield* mailbox.refuseAddress("guide2@example.com", "no")
      yield* TestClock.adjust("1 minute")
      yield* run
      const mails = yield* sentMails
      assert.deepStrictEqual(mails.map(({ to }) => to.email), ["guide1@example.com", "guide2@example.com"])
      for (const { automatic, subject, text } of mails) {
        assert.strictEqual(subject, "New message from Bob")
        assert.include(text, "Is it wet?")
        assert.strictEqual(automatic, "generated")
      }
    }).pipe(Effect.provide(world)))
})
