/** Tests notifications about guests' messages, in memory. A worker runs every 10 seconds. */
import { BookingWriter } from "@trailbook/core/booking"
import { GuestConversations } from "@trailbook/core/conversation"
import { minStaffNotificationIntervalMinutes } from "@trailbook/core/conversation/Conversation"
import { ConversationWriter } from "@trailbook/core/conversation/ConversationWriter"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { TaskHandlers } from "@trailbook/core/handler"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Checkouts } from "@trailbook/core/payment"
import { AuditLog, StaffMembers } from "@trailbook/core/staff"
import { Tasks } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles, FakeMailer } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"

const orgId = "0197a1b2-0000-7000-8000-000000000001"
const customerId = "0197a1b2-0000-7000-8000-000000000002"
const people = ["bo@pine.example", "cy@pine.example"]
const email = "ada@guest.example"
const start = Date.UTC(2026, 4, 1, 15)
const tickMs = 10_000

const world = Layer.mergeAll(
  TaskHandlers.layer({ publicUrl: "https://book.example" }),
  GuestConversations.layer,
  Layer.provide(StaffMembers.layer, AuditLog.layer)
).pipe(
  Layer.provide(Layer.merge(ConversationWriter.layer, Layer.provide(Checkouts.layer, BookingWriter.layer("none")))),
  Layer.provideMerge(
    Layer.mergeAll(MemoryStorage.layer, TestIds.layer(1), FakeFiles.layer, FakeMailer.layer, FakePayments.layer)
  )
)

/**
 * The number of messages in each tick. The guest books after tick `books`, which moves the question to the customer's
 * conversation.
 */
interface Story {
  readonly ticks: ReadonlyArray<number>
  readonly books: number
}

const story: FastCheck.Arbitrary<Story> = FastCheck.record({
  ticks: FastCheck.array(
    FastCheck.oneof(
      { weight: 6, arbitrary: FastCheck.constant(0) },
      { weight: 1, arbitrary: FastCheck.integer({ min: 1, max: 4 }) }
    ),
    { minLength: 1, maxLength: 120 }
  ),
  books: FastCheck.nat(200)
})

interface SentMail {
  readonly at: number
  readonly to: string
  readonly bodies: ReadonlyArray<string>
}

const play = (
  { books, ticks }: Story
): Promise<{ readonly written: ReadonlyArray<string>; readonly sent: Array<SentMail> }> =>
  Effect.runPromise(
    Effect.flatMap(SettableClock.make(Instant.make(start)), (clock) =>
      Effect.gen(function*() {
        const createdAt = yield* currentTime
        yield* (yield* OrgStore).put(
          Org.make({ id: orgId, name: "Pine River", slug: "pine", timezone: "America/Denver", createdAt })
        )
        for (const person of people) {
          yield* (yield* StaffMembers).add({ orgId, email: person, by: { _tag: "Operator" } })
        }
        const { ask } = yield* GuestConversations
        const { run } = yield* Tasks
        const mailbox = yield* FakeMailer
        const written: Array<string> = []
        const sent: Array<SentMail> = []
        let seenCount = 0
        const tick = Effect.gen(function*() {
          while ((yield* run(100)) > 0);
          const mails = yield* mailbox.sent
          for (const { text, to } of mails.slice(seenCount)) {
            if (to.email !== email) {
              sent.push({
                at: yield* currentTime,
                to: to.email,
                bodies: [...text.matchAll(/^m\d+$/gm)].map(([body]) => body)
              })
            }
          }
          seenCount = mails.length
          yield* clock.advance(tickMs)
        })
        for (const [at, count] of ticks.entries()) {
          const bodies = Array.from({ length: count }, (_, n) => `m${written.length + n}`)
          written.push(...bodies)
          yield* Effect.forEach(bodies, (body) => ask({ orgId, from: { name: "Ada", email }, body }), {
            concurrency: "unbounded"
          })
          if (at === books) {
            yield* (yield* CustomerStore).put([Customer.make({ id: customerId, orgId, email, name: "Ada", createdAt })])
          }
          yield* tick
        }
        for (let rest = 0; rest < 2 * minStaffNotificationIntervalMinutes * 6 + 1; rest++) yield* tick
        return { written, sent }
      }).pipe(Effect.provide(world), Effect.withClock(clock)))
  )

describe("notifications about a guest's messages", () => {
  it("include every message once, at least 5 minutes apart", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(story, async (sample) => {
        const { sent, written } = await play(sample)
        for (const person of people) {
          const ownMails = sent.filter(({ to }) => to === person)
          assert.sameMembers(ownMails.flatMap(({ bodies }) => bodies), [...written])
          assert.lengthOf(ownMails.flatMap(({ bodies }) => bodies), written.length)
          ownMails.slice(1).forEach(({ at }, n) =>
            assert.isAtLeast(at - (ownMails[n]?.at ?? 0), minStaffNotificationIntervalMinutes * 60_000)
          )
        }
      }),
      { numRuns: runs(60, 20) }
    )
  })

  it("combine 80 messages in a minute into two emails", async () => {
    const { sent, written } = await play({ ticks: Array.from({ length: 6 }, () => 14), books: Infinity })
    assert.lengthOf(written, 84)
    assert.lengthOf(sent, 2 * people.length)
  })

  it("are sent immediately for the first message", async () => {
    const { sent } = await play({ ticks: [1], books: Infinity })
    assert.deepStrictEqual(sent.map(({ at }) => at), people.map(() => start))
  })
})
