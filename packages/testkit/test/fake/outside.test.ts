import { it } from "@effect/vitest"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import { Payments } from "@trailbook/core/booking/Payments"
import { type Mail, Mailer } from "@trailbook/core/mail/Mailer"
import * as Org from "@trailbook/core/org/Org"
import { Mailbox } from "@trailbook/testkit/fake/Mailbox"
import { Till } from "@trailbook/testkit/fake/Till"
import { booking } from "@trailbook/testkit/generator/booking"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, describe } from "vitest"

const org = Org.make({ id: "org", name: "Town", slug: "town", timezone: "UTC", createdAt: origin })

const records = FastCheck.sample(booking, { numRuns: 2, seed: 1 }).map((booking, at): BookingRecord => ({
  booking: { ...booking, id: `booking-${at}` },
  offering: { id: "offering", name: "Rafting", kind: "class" },
  customer: { id: "customer", name: "Ann", email: "ann@a.co", phone: "" }
}))
const [one, two] = records as [BookingRecord, BookingRecord]

describe("Till", () => {
  it.effect("it is connected for whom it was, until it no longer is", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { connect } = yield* Till
      assert.isFalse(yield* payments.connected("org"))
      yield* connect("org", true)
      assert.deepStrictEqual(yield* Effect.all([payments.connected("org"), payments.connected("other")]), [true, false])
      yield* connect("org", false)
      assert.isFalse(yield* payments.connected("org"))
    }).pipe(Effect.provide(Till.layer)))

  it.effect("one booking has one checkout and is refunded once, however often it is asked for", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { checkouts, refunds } = yield* Till
      const urls = yield* Effect.forEach([one, one, two], (record) => payments.checkout(record, org), {
        concurrency: "unbounded"
      })
      assert.strictEqual(urls[0], urls[1])
      assert.notStrictEqual(urls[0], urls[2])
      assert.strictEqual((yield* checkouts).size, 2)
      yield* Effect.forEach([one, one], (record) => payments.refund(record, org), { concurrency: "unbounded" })
      assert.deepStrictEqual([...yield* refunds], [["booking-0", one.booking.totalCents]])
    }).pipe(Effect.provide(Till.layer)))

  it.effect("while it refuses nothing is done, and then it can be asked again", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { refunds, refuse } = yield* Till
      yield* refuse(true)
      const { _tag } = yield* Effect.flip(payments.refund(one, org))
      assert.strictEqual(_tag, "PaymentsFailed")
      yield* Effect.flip(payments.checkout(one, org))
      assert.strictEqual((yield* refunds).size, 0)
      yield* refuse(false)
      yield* payments.refund(one, org)
      assert.strictEqual((yield* refunds).size, 1)
    }).pipe(Effect.provide(Till.layer)))
})

const mail = (id: string): Mail => ({
  id,
  from: { name: "Town" },
  to: { name: "Ann", email: "ann@a.co" },
  subject: "",
  text: "",
  html: "",
  calendar: { method: "PUBLISH", ics: "" }
})

describe("Mailbox", () => {
  it.effect("it keeps what was sent in order, and nothing while it refuses", () =>
    Effect.gen(function*() {
      const { send } = yield* Mailer
      const { refuse, sent } = yield* Mailbox
      yield* send(mail("1"))
      yield* refuse(true)
      const { _tag } = yield* Effect.flip(send(mail("2")))
      assert.strictEqual(_tag, "MailFailed")
      yield* refuse(false)
      yield* Effect.forEach(["2", "2"], (id) => send(mail(id)))
      assert.deepStrictEqual((yield* sent).map(({ id }) => id), ["1", "2", "2"])
    }).pipe(Effect.provide(Mailbox.layer)))
})
