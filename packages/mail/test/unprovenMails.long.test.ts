import { it } from "@effect/vitest"
import { type Booking, Bookings, BookingStore, BookingWriter } from "@trailbook/core/booking"
import { isEmailLinkSecret } from "@trailbook/core/booking/GuestAccess"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { makeProofTaskSubject, parseProofSecret } from "@trailbook/core/customer/EmailProof"
import { Files } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import { coreLayer } from "@trailbook/core/layer"
import { OfferingStore } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Checkouts } from "@trailbook/core/payment"
import { Ids, UnitOfWork } from "@trailbook/core/port"
import { Tasks, TaskStore } from "@trailbook/core/task"
import { make } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import type { Language } from "@trailbook/core/wire"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeMailer } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { assert, describe } from "vitest"

const world = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(
  Layer.provide(Layer.provide(Checkouts.layer, BookingWriter.layer("none"))),
  Layer.provideMerge(
    Layer.mergeAll(MemoryStorage.layer, Files.layerNone, TestIds.layer(1), FakeMailer.layer, FakePayments.layer)
  )
)

const id = (n: number) => `0197a1b2-0000-7000-8000-${`${n}`.padStart(12, "0")}`
const start = Instant.make(Date.UTC(2027, 4, 1, 15))
const org = Org.make({
  id: id(1),
  name: "Pine River",
  slug: "pine-river",
  timezone: "America/Denver",
  secret: "secret",
  createdAt: start
})
const of = { orgId: org.id, createdAt: start }
const ada = Customer.make({ ...of, id: id(3), email: "ada@example.com", name: "www.evil.example now" })

/** Creates several bookings for one guest, each with its own email task. */
const createBookings = (count: number, fields: Partial<Booking> = {}) =>
  Effect.gen(function*() {
    const stores = [yield* OrgStore, yield* OfferingStore, yield* CustomerStore, yield* BookingStore] as const
    const [orgs, offerings, customers, bookings] = stores
    const tasks = yield* TaskStore
    const rows = Array.from({ length: count }, (_, at): Booking => ({
      ...of,
      id: id(10 + at),
      offeringId: id(2),
      customerId: ada.id,
      sessionId: null,
      startsAt: Instant.addMinutes(start, 10_000),
      endsAt: Instant.addMinutes(start, 10_060),
      periodMinutes: 60,
      periods: 1,
      quantity: 1,
      totalCents: 9000,
      reference: `7K3M9Q2${at}`,
      handle: `handle-${at}`,
      checkInToken: `token-${at}`,
      source: "widget",
      notes: "",
      metadata: {},
      unproven: { network: "network", confirmIn: null },
      confirmedAt: start,
      updatedAt: start,
      paidAt: null,
      paymentIntentId: null,
      refund: null,
      dispute: null,
      attendance: null,
      price: null,
      tapsFrom: start,
      previous: null,
      resentAt: null,
      contact: { email: ada.email, name: ada.name, phone: "" },
      idempotency: { key: id(40 + at), fingerprint: "" },
      status: "confirmed",
      ...fields
    } as Booking))
    yield* (yield* UnitOfWork).run(Effect.gen(function*() {
      yield* orgs.put(org)
      yield* offerings.put([Offering.make({ ...of, id: id(2), kind: "class", name: "Raft" })])
      yield* customers.put([ada])
      yield* bookings.put(rows)
      yield* tasks.add(
        rows.map((row, at) =>
          make({
            id: id(60 + at),
            orgId: org.id,
            kind: `mail.${row.status}`,
            subjectId: row.id,
            dueAt: start
          })
        )
      )
    }))
    yield* TestClock.setTime(start)
    return rows
  })

/** The same world, plus the `Bookings` service. */
const withBookings = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(
  Layer.provideMerge(coreLayer({ batches: "none" })),
  Layer.provideMerge(
    Layer.mergeAll(
      MemoryStorage.layer,
      Files.layerNone,
      TestIds.layer(1),
      FakeMailer.layer,
      FakePayments.layer,
      layerNone
    )
  )
)

/** Runs due tasks and returns the number of emails sent so far. */
const sentCount = Effect.gen(function*() {
  yield* (yield* Tasks).run(500)
  return (yield* (yield* FakeMailer).sent).length
})

describe("an expired hold", () => {
  const expiresAt = Instant.addMinutes(start, 30)
  const holdFields = { status: "held", confirmedAt: null, expiresAt, paymentDue: false, checkoutUrl: null } as const
  const sweepHolds = Effect.gen(function*() {
    const before = yield* sentCount
    yield* TestClock.setTime(Instant.addMinutes(expiresAt, 24 * 60))
    assert.strictEqual(yield* (yield* Bookings).sweep(10), 1)
    yield* sentCount
    return (yield* (yield* FakeMailer).sent).slice(before)
  })

  it.effect("sends no email if the guest's address was never verified", () =>
    Effect.gen(function*() {
      yield* createBookings(1, { ...holdFields, unproven: { network: null, confirmIn: "es" } })
      assert.deepStrictEqual(yield* sweepHolds, [])
    }).pipe(Effect.provide(withBookings)))

  it.effect("sends an email with a link to book again", () =>
    Effect.gen(function*() {
      yield* createBookings(1, { ...holdFields, source: "api", unproven: null })
      const [mail] = yield* sweepHolds
      assert.strictEqual(mail?.subject, "Hold expired: Pine River (7K3M9Q20)")
      assert.include(
        mail?.text,
        "Your hold with Pine River expired because it was not confirmed. Your spot was released."
      )
      assert.include(mail?.text, `Book again:\nhttps://book.example/book/pine-river/${id(2)}\n`)
    }).pipe(Effect.provide(withBookings)))
})

describe("email about public bookings", () => {
  it.effect("is limited to two an hour for an unverified address", () =>
    Effect.gen(function*() {
      yield* createBookings(5)
      assert.strictEqual(yield* sentCount, 2)
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* sentCount, 2)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* sentCount, 4)
      yield* TestClock.adjust("60 minutes")
      assert.strictEqual(yield* sentCount, 5)
    }).pipe(Effect.provide(world)))

  it.effect("is limited for bookings made by guests' assistants", () =>
    Effect.gen(function*() {
      for (const [unproven, emails] of [[{ network: null, confirmIn: null }, 2], [null, 5]] as const) {
        yield* Effect.gen(function*() {
          yield* createBookings(5, { source: "mcp", unproven })
          assert.strictEqual(yield* sentCount, emails)
        }).pipe(Effect.provide(Layer.fresh(world)))
      }
    }))

  it.effect("is limited even if the bookings are older than a day", () =>
    Effect.gen(function*() {
      yield* createBookings(52)
      for (let hour = 1; hour <= 26; hour++) {
        assert.strictEqual(yield* sentCount, 2 * hour)
        yield* TestClock.adjust("1 hour")
      }
    }).pipe(Effect.provide(world)))

  it.effect("is limited even if the visitor cancels the next day", () =>
    Effect.gen(function*() {
      const cancelledAt = Instant.addMinutes(start, 25 * 60)
      yield* createBookings(6, { status: "cancelled", cancelledAt, unproven: null })
      yield* TestClock.setTime(cancelledAt)
      assert.strictEqual(yield* sentCount, 2)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* sentCount, 4)
    }).pipe(Effect.provide(world)))

  it.effect("is limited even if workers run in parallel", () =>
    Effect.gen(function*() {
      yield* createBookings(8)
      const tasks = yield* Tasks
      const claimedTasks = yield* tasks.claim("mail", 8)
      yield* Effect.forEach(claimedTasks, (task) => tasks.attempt([task]), { concurrency: "unbounded" })
      assert.lengthOf(yield* (yield* FakeMailer).sent, 2)
    }).pipe(Effect.provide(world)))

  it.effect("counts only once toward the limit if retried", () =>
    Effect.gen(function*() {
      yield* createBookings(2)
      const { refuse } = yield* FakeMailer
      yield* refuse(true)
      assert.strictEqual(yield* sentCount, 0)
      yield* refuse(false)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* sentCount, 2)
    }).pipe(Effect.provide(world)))

  it.effect("is unlimited for verified addresses and paid bookings", () =>
    Effect.gen(function*() {
      for (const fields of [{ source: "api" as const }, { paymentIntentId: "pi", paidAt: start, unproven: null }]) {
        yield* Effect.gen(function*() {
          yield* createBookings(4, fields)
          assert.strictEqual(yield* sentCount, 4)
        }).pipe(Effect.provide(Layer.fresh(world)))
      }
      yield* createBookings(4)
      yield* (yield* CustomerStore).put([{ ...ada, provenAt: start }])
      assert.strictEqual(yield* sentCount, 4)
    }).pipe(Effect.provide(world)))

  it.effect("contains the verification link, but no link that the visitor entered", () =>
    Effect.gen(function*() {
      const [booking] = yield* createBookings(1)
      yield* sentCount
      const [mail] = yield* (yield* FakeMailer).sent
      assert.strictEqual(mail?.to.name, "www[.]evil[.]example now")
      assert.notInclude(mail?.text, "evil")
      const secret = /\/b\/handle-0\?mailed=([0-9a-f]{40})$/m.exec(mail?.text ?? "")?.[1] ?? ""
      assert.isTrue(booking !== undefined && isEmailLinkSecret(yield* Ids, org, booking, secret))
    }).pipe(Effect.provide(world)))

  for (
    const [language, subject, button, time] of [
      ["en", "Confirm your booking: Pine River (7K3M9Q20)", "Confirm booking:", "9:30 AM MDT"],
      ["es", "Confirme su reserva: Pine River (7K3M9Q20)", "Confirmar reserva:", "9:30 a.m. MDT"]
    ] as const
  ) {
    it.effect(`asks the guest in "${language}" to confirm the hold`, () =>
      Effect.gen(function*() {
        const expiresAt = Instant.addMinutes(start, 30)
        const unproven = { network: null, confirmIn: language }
        yield* createBookings(
          1,
          { status: "held", expiresAt, paymentDue: false, checkoutUrl: null, unproven }
        )
        yield* sentCount
        const [mail] = yield* (yield* FakeMailer).sent
        assert.strictEqual(mail?.subject, subject)
        assert.isNull(mail?.calendar)
        assert.include(mail?.text, button)
        assert.match(mail?.text ?? "", /^Total: +\$90\.00$/m)
        assert.include(mail?.text.replace(/\s/gu, " "), time)
        assert.include(mail?.html, `<html lang="${language}">`)
      }).pipe(Effect.provide(world)))
  }
})

describe("a verification email", () => {
  const requestMail = (at: number, language: Language, fields: Partial<Customer.Customer> = {}) =>
    Effect.gen(function*() {
      const tasks = yield* TaskStore
      const customers = yield* CustomerStore
      const subjectId = makeProofTaskSubject(ada.id, language)
      yield* (yield* UnitOfWork).run(Effect.zipRight(
        customers.put([{ ...ada, ...fields }]),
        tasks.add([make({ id: id(80 + at), orgId: org.id, kind: "mail.proof", subjectId, dueAt: start })])
      ))
    })

  it.effect("is in the language of the page and expires after 24 hours", () =>
    Effect.gen(function*() {
      yield* createBookings(0)
      yield* requestMail(0, "es")
      assert.strictEqual(yield* sentCount, 1)
      const [mail] = yield* (yield* FakeMailer).sent
      assert.strictEqual(mail?.subject, "Confirme su correo electrónico: Pine River")
      const [, secret = ""] = /https:\/\/book\.example\/book\/pine-river\/email\/(\S+)/.exec(mail?.text ?? "") ?? []
      const ids = yield* Ids
      const after = (minutes: number) => parseProofSecret(ids, org, secret, Instant.addMinutes(start, minutes))
      assert.strictEqual(after(24 * 60 - 1), ada.id)
      assert.isUndefined(after(24 * 60))
      assert.isUndefined(parseProofSecret(ids, { secret: "another" }, secret, start))
      assert.isUndefined(parseProofSecret(ids, org, secret.replace("0003", "0004"), start))
    }).pipe(Effect.provide(world)))

  it.effect("counts toward the limit even for a previously verified guest", () =>
    Effect.gen(function*() {
      yield* createBookings(0)
      for (const at of [0, 1, 2]) yield* requestMail(at, "en", at === 0 ? { provenAt: start } : {})
      assert.strictEqual(yield* sentCount, 2)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* sentCount, 3)
    }).pipe(Effect.provide(world)))
})
