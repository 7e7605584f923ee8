/**
 * Tests a complete conversation through mail servers. Trailbook sends email over SMTP through a relay to the guest's
 * server. The replies arrive over LMTP in the formats of many mail programs. The relay is Debian's Postfix if
 * installed, or a minimal relay otherwise.
 */
import { BookingWriter } from "@trailbook/core/booking"
import { MailIntake, MessageStore } from "@trailbook/core/conversation"
import { ConversationWriter } from "@trailbook/core/conversation/ConversationWriter"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { StaffConversations } from "@trailbook/core/conversation/StaffConversations"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { Files } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Checkouts } from "@trailbook/core/payment"
import { Tasks } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import * as MemoryBudget from "@trailbook/mail/inbound/MemoryBudget"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import { listen } from "@trailbook/mail/inbound/SmtpListener"
import * as Smtp from "@trailbook/mail/Smtp"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import PostalMime from "postal-mime"
import { assert, describe, it, vi } from "vitest"
import * as FakeIntake from "./inbound/FakeIntake.ts"
import { type ArrivedMail, makeRefusal, postmaster } from "./Postmaster.ts"
import { relays } from "./Relay.ts"

const checkouts = Layer.provide(Checkouts.layer, BookingWriter.layer("none"))

const { replyDomain } = FakeIntake
const orgId = "0197a1b2-0000-7000-8000-000000000001"

const sentText = JSON.parse(readFileSync(join(FakeIntake.replies, "thread.json"), "utf8")).sent[0] as string
const names = readdirSync(FakeIntake.replies).filter((name) => name.endsWith(".eml")).map((name) => name.slice(0, -4))

const layers = (smtpPort: number) =>
  Layer.mergeAll(
    TaskHandlers.layer({ publicUrl: "https://book.example", replyDomain }).pipe(Layer.provide(checkouts)),
    StaffConversations.layer,
    InboundMail.layer({ replyDomain }).pipe(
      Layer.provide(MailParserPool.layerInline),
      Layer.provideMerge(MailIntake.layer)
    )
  ).pipe(
    Layer.provide(ConversationWriter.layer),
    Layer.provideMerge(Layer.mergeAll(
      MemoryStorage.layer,
      TestIds.layer(1),
      FakePayments.layer,
      Files.layerNone,
      Smtp.layer({ url: Redacted.make(`smtp://127.0.0.1:${smtpPort}`), from: "bookings@pine.example", replyDomain })
    ))
  )

const outfitter = Effect.gen(function*() {
  const createdAt = yield* currentTime
  yield* (yield* OrgStore).put(
    Org.make({ id: orgId, name: FakeIntake.conversation.orgName, slug: "pine", timezone: "America/Denver", createdAt })
  )
  const customers = yield* CustomerStore
  return (id: string, email: string) =>
    Effect.tap(
      Effect.succeed(Customer.make({ id, orgId, email, name: "Ada Lovelace", createdAt })),
      (customer) => customers.put([customer])
    )
})

/** Sends a message with its own subject, or a reply to the guest's latest message. */
const write = (customerId: string, body: string, subject = "") =>
  Effect.gen(function*() {
    const { message } = yield* (yield* StaffConversations).send({
      orgId,
      to: { customerId },
      body,
      subject,
      files: [],
      kind: "message",
      sentBy: "dashboard",
      keyed: () => undefined
    })
    yield* (yield* Tasks).run(10)
    return message
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

/** Returns a guest's reply to the Reply-To address, in the format of the named mail program. */
const answerTo = async (mail: ArrivedMail, name: string): Promise<{ readonly raw: Buffer; readonly to: string }> => {
  const { replyTo } = await PostalMime.parse(mail.raw)
  const to = replyTo?.[0]?.address ?? ""
  const fixture = readFileSync(join(FakeIntake.replies, `${name}.eml`), "latin1")
  // In some fixtures, quoted-printable or base64 encoding hides the address, so only the text identifies the quotation.
  const raw = fixture.replaceAll(FakeIntake.address, to).replace(
    /^Message-ID: .*$/m,
    `Message-ID: <${name}@mail.example.com>`
  )
  return { raw: Buffer.from(raw, "latin1"), to }
}

describe.each(relays)("$name as the mail server", ({ begin, isThere }) => {
  it.runIf(isThere)(
    "keeps a conversation in one thread",
    async () => {
      const unknownAddress = "nobody@guest.example"
      const guests = await postmaster({
        hideDSN: true,
        onRcptTo: ({ address }, _session, done) =>
          done(address === unknownAddress ? makeRefusal(550, "5.1.1 no such user") : null)
      })
      await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const relay = yield* Effect.acquireRelease(
          Effect.promise(() => begin({ guestPort: guests.port, replyDomain })),
          ({ close }) => Effect.promise(close)
        )
        const world = yield* Layer.build(layers(relay.port))
        const transport = createTransport({ host: "127.0.0.1", port: relay.port, ignoreTLS: true })
        const program = Effect.gen(function*() {
          const room = MemoryBudget.make(200_000_000)
          yield* listen({ protocol: "lmtp", host: "127.0.0.1", port: relay.lmtpPort, name: replyDomain, budget: room })
          const addGuest = yield* outfitter
          const ada = yield* addGuest("0197a1b2-0000-7000-8000-00000000000a", "ada@guest.example")
          const unknownGuest = yield* addGuest("0197a1b2-0000-7000-8000-00000000000b", unknownAddress)

          // The message arrives, and the delivery report confirms it.
          const first = yield* write(ada.id, sentText, "Your float on Saturday")
          yield* until(() => guests.arrived.length === 1)
          const [mail] = guests.arrived
          assert.match(mail?.from ?? "", new RegExp(`^bounce\\+[a-z0-9]{26}@${replyDomain}$`))
          yield* untilThread((all) => all.find(({ id }) => id === first.id)?.deliveredAt !== null)

          // Each program's reply is added to the thread once, without its quoted text.
          for (const name of names) {
            const { raw, to } = yield* Effect.promise(() => answerTo(mail as ArrivedMail, name))
            const asGuest = Buffer.from(
              raw.toString("latin1").replace("ada@example.com", "ada@guest.example"),
              "latin1"
            )
            const envelope = { from: "ada@guest.example", to: [to] }
            yield* Effect.promise(() => transport.sendMail({ envelope, raw: asGuest }))
            yield* Effect.promise(() => transport.sendMail({ envelope, raw: asGuest }))
          }
          const all = yield* untilThread((all) => guestMessages(all).length >= names.length)
          const bodies = new Set(guestMessages(all).map(({ body }) => body))
          const missingNames = names.filter((name) =>
            !bodies.has(readFileSync(join(FakeIntake.replies, `${name}.txt`), "utf8").trimEnd())
          )
          assert.deepEqual(missingNames, [])
          assert.lengthOf(guestMessages(all), names.length)

          // A reply continues the mail thread of the guest's latest message.
          yield* write(ada.id, "See you then!")
          yield* until(() => guests.arrived.length === 2)
          const next = yield* Effect.promise(() => PostalMime.parse(guests.arrived[1]?.raw ?? ""))
          assert.match(next.inReplyTo ?? "", /@mail\.example\.com>$/)
          assert.match(next.subject ?? "", /^Re: /)

          // Out-of-office replies to either address and mail from strangers leave the thread unchanged.
          const { to } = yield* Effect.promise(() => answerTo(mail as ArrivedMail, "mutt.en"))
          const holiday = (from: string, headers = "") =>
            Buffer.from(
              `From: ${from}\r\nTo: ${to}\r\nSubject: Out of office\r\nMessage-ID: <${from}${headers.length}@x>\r\n${headers}\r\nBack on Monday`
            )
          const automatic = "Auto-Submitted: auto-replied\r\n"
          for (
            const [from, recipient, raw] of [
              ["", mail?.from ?? "", holiday("ada@guest.example", automatic)],
              ["ada@guest.example", to, holiday("ada@guest.example", automatic)],
              ["", to, holiday("ada@guest.example")],
              ["eve@guest.example", to, holiday("eve@guest.example")]
            ] as const
          ) yield* Effect.promise(() => transport.sendMail({ envelope: { from, to: [recipient] }, raw }))

          // A permanent rejection by the guest's server is recorded on the message.
          const bouncedMessage = yield* write(unknownGuest.id, sentText, "Your float on Saturday")
          const after = yield* untilThread((all) => all.find(({ id }) => id === bouncedMessage.id)?.failedAt !== null)
          assert.include(after.find(({ id }) => id === bouncedMessage.id)?.failure ?? "", "5.1.1")
          // All earlier mail has arrived by now, and Trailbook has sent neither a report nor a reply to it.
          assert.lengthOf(guestMessages(after), names.length)
          assert.lengthOf(guests.arrived, 2)
        })
        yield* Effect.provide(program, world)
        transport.close()
      })))
      await guests.close()
    },
    180_000
  )
})

const guestMessages = (messages: ReadonlyArray<Message>) => messages.filter(({ sentBy }) => sentBy === "guest")

/** Polls, because mail servers acknowledge an email before they forward it. */
const until = (holds: () => boolean) => Effect.promise(() => vi.waitUntil(holds, { timeout: 60_000, interval: 50 }))

const untilThread = (holds: (all: ReadonlyArray<Message>) => boolean) =>
  Effect.gen(function*() {
    const context = yield* Effect.context<MessageStore>()
    const all = () => Effect.runPromise(Effect.provide(thread, context))
    return yield* Effect.promise(() =>
      vi.waitUntil(async () => {
        const thread = await all()
        return holds(thread) ? thread : undefined
      }, { timeout: 60_000, interval: 100 })
    )
  })
