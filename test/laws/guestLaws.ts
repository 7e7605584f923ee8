/** Tests which data a guest can see and change with a booking handle. */
import type { Refusal } from "@trailbook/core"
import type { BookingView } from "@trailbook/core/booking"
import { GuestPageView } from "@trailbook/core/operation"
import * as Instant from "@trailbook/core/time/Instant"
import { origin } from "@trailbook/testkit/generator/moment"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { minuteMs, race, runConcurrently, type TwoServerFixture } from "./race/TwoServerFixture.ts"

const isPage = Schema.decodeUnknownSync(GuestPageView)
const isPass = Schema.decodeUnknownSync(Schema.Struct({ pass: Schema.String }))

const loadPage = ({ ahead }: TwoServerFixture, { handle }: BookingView, input: object = {}) =>
  Effect.map(ahead.asGuest(handle, "guest.get", input), (answer) => isPage(answer))

const findCode = <A>(work: Effect.Effect<A, Refusal>) =>
  Effect.map(Effect.either(work), (answer) => Either.isLeft(answer) ? answer.left.code : "done")

const makeContact = (name: string, email = "ann@a.co") => ({ email, name, phone: `555 ${name}` })

/** Creates two bookings by two people with the same email address, and one booking by another guest. */
const createTrips = (fixture: TwoServerFixture) =>
  Effect.gen(function*() {
    const offering_id = yield* fixture.offer({ kind: "appointment", capacity: 5, price_cents: 9500 })
    const slots = yield* fixture.slots(offering_id)
    const pickSlot = (nth: number) => ({ offering_id, ...slots.at(nth) })
    const ann = yield* fixture.book({ ...pickSlot(0), customer: makeContact("Ann") })
    const bea = yield* fixture.book({ ...pickSlot(1), customer: makeContact("Bea") })
    const other = yield* fixture.book({ ...pickSlot(2), customer: makeContact("Cyd", "cyd@a.co") })
    return { ann, bea, other, slots: slots.slice(3) }
  })

const sendGuestMessage = (fixture: TwoServerFixture, booking: BookingView, body: string, extra: object = {}) =>
  fixture.call("messages.send", { booking_id: booking.id, body, ...extra })

const listBodies = ({ messages }: GuestPageView) => messages.map(({ body }) => body)

const findLink = (fixture: TwoServerFixture, { id }: BookingView) =>
  Effect.flatMap(fixture.ahead.inbox.link({ orgId: fixture.orgId, id }), (link) => Effect.orDie(link))

export const guestLaws = [
  race(
    "guests/bound",
    "shows only the linked booking, its contact details, and its messages",
    function*(fixture, round) {
      const { ann, bea, other } = yield* createTrips(fixture)
      yield* fixture.call("customers.update", { id: ann.customer_id, notes: "stored", phone: "stored" })
      yield* fixture.call("messages.send", { customer_id: ann.customer_id, body: "of no booking" })
      yield* sendGuestMessage(fixture, ann, "noted", { kind: "note" })
      yield* runConcurrently(round, [
        sendGuestMessage(fixture, ann, "to Ann"),
        sendGuestMessage(fixture, bea, "to Bea"),
        sendGuestMessage(fixture, other, "to Cyd")
      ])
      yield* fixture.clock.advance(minuteMs)
      yield* fixture.behind.asGuest(ann.handle, "guest.write", { body: "from Ann" })
      const guestPage = yield* loadPage(fixture, ann)
      assert.deepStrictEqual(listBodies(guestPage), ["to Ann", "from Ann"])
      assert.deepStrictEqual(guestPage.contact, makeContact("Ann"))
      assert.isFalse(guestPage.is_whole)
      assert.strictEqual(guestPage.booking.reference, ann.reference)
      assert.notMatch(JSON.stringify(guestPage), /stored|Bea|Cyd|of no booking|noted/)
      assert.deepStrictEqual((yield* loadPage(fixture, bea)).contact, makeContact("Bea"))
      for (const nobodys of [newId(), ann.id, ann.reference, `${ann.handle}a`, "", "a/../b"]) {
        assert.strictEqual(yield* findCode(fixture.ahead.asGuest(nobodys, "guest.get", {})), "not_found")
      }
      // Guests cannot run the outfitter's operations, and the outfitter cannot run the guest operations.
      assert.strictEqual(
        yield* findCode(fixture.ahead.asGuest(ann.handle, "bookings.get", { id: ann.id })),
        "forbidden"
      )
      assert.strictEqual(yield* findCode(fixture.call("guest.get", {})), "forbidden")
    }
  ),

  race(
    "guests/files",
    "serves an attachment only on its booking's page",
    function*(fixture) {
      const { ann, bea, other } = yield* createTrips(fixture)
      const id = newId()
      yield* Store.files.add({
        id,
        orgId: fixture.orgId,
        name: "ford.jpg",
        size: 1,
        type: "image/jpeg",
        createdAt: origin,
        messageId: null,
        position: 0
      })
      const open = ({ handle }: BookingView) => findCode(fixture.ahead.asGuest(handle, "guest.file", { id }))
      assert.strictEqual(yield* open(ann), "not_found")
      const message = { body: "Which ford?", attachments: [{ id, name: "ford.jpg" }] }
      yield* fixture.behind.asGuest(ann.handle, "guest.write", message)
      const outcomes = [yield* open(ann), yield* open(bea), yield* open(other)]
      assert.deepStrictEqual(outcomes, ["done", "not_found", "not_found"])
      assert.strictEqual(
        yield* findCode(fixture.behind.asGuest(other.handle, "guest.write", message)),
        "attachment_used"
      )
    }
  ),

  race(
    "guests/changes",
    "lets a guest make any change that the page offers, and refunds the amount shown",
    function*(fixture, round) {
      const { ann, bea, other, slots } = yield* createTrips(fixture)
      const cancel = ({ handle }: BookingView) => findCode(fixture.behind.asGuest(handle, "guest.cancel", {}))
      const move = ({ handle }: BookingView) => findCode(fixture.behind.asGuest(handle, "guest.move", { ...slots[0] }))
      const never = [yield* cancel(ann), yield* move(ann), (yield* loadPage(fixture, ann)).changes.may_cancel]
      assert.deepStrictEqual(never, ["changes_closed", "changes_closed", false])

      const starts = Instant.parse(ann.starts_at) ?? origin
      const hours = (round % 3) * 2
      yield* fixture.call("org.update", { guest_changes_hours: hours })
      yield* fixture.bookings.pay({ orgId: fixture.orgId, id: ann.id }, "intent")
      const { changes } = yield* loadPage(fixture, ann)
      assert.strictEqual(changes.until, Instant.format(Instant.addMinutes(starts, -60 * hours)))
      assert.deepStrictEqual([changes.may_move, changes.may_cancel, changes.refund_cents], [true, true, 9500])
      assert.strictEqual((yield* loadPage(fixture, bea)).changes.refund_cents, 0)

      assert.strictEqual(yield* move(ann), "done")
      assert.strictEqual((yield* fixture.booking(ann.id)).previous?.starts_at, ann.starts_at)
      assert.strictEqual(yield* cancel(ann), "done")
      assert.strictEqual(yield* cancel(ann), "done")
      assert.strictEqual(yield* move(ann), "booking_cancelled")
      const { refund } = yield* fixture.booking(ann.id)
      assert.strictEqual(refund?.cents, changes.refund_cents)

      // Test the deadline itself, and one step after it.
      const last = Instant.addMinutes(Instant.parse(bea.starts_at) ?? origin, -60 * hours)
      const changeAt = last - (hours === 0 ? 1 : 0)
      const now = Instant.parse((yield* loadPage(fixture, bea)).now) ?? origin
      yield* fixture.clock.advance(changeAt - now)
      assert.isTrue((yield* loadPage(fixture, bea)).changes.may_cancel)
      yield* fixture.clock.advance(1)
      const after = yield* loadPage(fixture, bea)
      assert.deepStrictEqual([after.changes.may_move, after.changes.may_cancel], [false, false])
      assert.deepStrictEqual([yield* cancel(bea), yield* move(bea)], ["changes_closed", "changes_closed"])
      assert.strictEqual((yield* fixture.booking(bea.id)).status, "confirmed")
      assert.strictEqual((yield* fixture.booking(other.id)).status, "confirmed")
    }
  ),

  race(
    "guests/holds",
    "lets a guest cancel a hold, or move it to any offered start time",
    function*(fixture) {
      const offering_id = yield* fixture.offer({
        kind: "rental",
        capacity: 1,
        duration_minutes: 60,
        slot_interval_minutes: 30
      })
      const slots = yield* fixture.slots(offering_id)
      const hold = yield* fixture.book({ offering_id, ...slots[0], hold_minutes: 60 })
      yield* fixture.book({ offering_id, ...slots[4] })
      assert.isTrue((yield* loadPage(fixture, hold)).changes.may_cancel)
      assert.isFalse((yield* loadPage(fixture, hold)).changes.may_move)
      yield* fixture.call("org.update", { guest_changes_hours: 0 })
      const Slots = Schema.Struct({ timezone: Schema.String, data: Schema.Array(Schema.Unknown) })
      const availability = Schema.decodeUnknownSync(Slots)(
        yield* fixture.ahead.asGuest(hold.handle, "guest.availability", {})
      )
      const starts = availability.data.map((slot) => (slot as { readonly starts_at: string }).starts_at)
      const expectedStarts = slots.flatMap((slot) => "starts_at" in slot ? [slot.starts_at] : [])
      // The result excludes the booking's own slot and slots that overlap other bookings. It includes slots that
      // overlap only the booking itself.
      assert.deepStrictEqual(starts, expectedStarts.filter((_, at) => ![0, 3, 4, 5].includes(at)))
      yield* fixture.ahead.asGuest(hold.handle, "guest.move", { starts_at: starts[0] })
      yield* fixture.ahead.asGuest(hold.handle, "guest.cancel", {})
      assert.strictEqual((yield* fixture.booking(hold.id)).status, "cancelled")
    }
  ),

  race(
    "guests/twice",
    "stores one message if a guest submits the same form twice",
    function*(fixture, round) {
      const { ann } = yield* createTrips(fixture)
      const form = { body: "Can we park there?", key: newId() }
      const send = (side: TwoServerFixture["ahead"]) => side.asGuest(ann.handle, "guest.write", form)
      const { codes } = yield* runConcurrently(round, [send(fixture.ahead), send(fixture.behind), send(fixture.ahead)])
      assert.deepStrictEqual(codes, [])
      assert.deepStrictEqual(listBodies(yield* loadPage(fixture, ann)), [form.body])
      yield* fixture.ahead.asGuest(ann.handle, "guest.write", { ...form, key: newId() })
      assert.strictEqual((yield* loadPage(fixture, ann)).messages.length, 2)
    }
  ),

  race(
    "guests/link",
    "shows all messages for an hour to the first visitor who opens an emailed link",
    function*(fixture, round) {
      const { ann, bea, other } = yield* createTrips(fixture)
      yield* sendGuestMessage(fixture, bea, "to Bea")
      yield* fixture.clock.advance(minuteMs)
      yield* sendGuestMessage(fixture, ann, "to Ann")
      yield* sendGuestMessage(fixture, other, "to Cyd")
      const open = (link: string, { handle } = ann) =>
        Effect.map(fixture.behind.asGuest(handle, "guest.open", { link }), (answer) => isPass(answer).pass)
      const oldLink = yield* findLink(fixture, ann)
      const link = yield* findLink(fixture, ann)
      assert.deepStrictEqual(
        [yield* findCode(open(oldLink)), yield* findCode(open(link, other)), yield* findCode(open("x"))],
        ["unauthorized", "unauthorized", "unauthorized"]
      )
      const { codes, won: [pass] } = yield* runConcurrently(round, [open(link), open(link)])
      assert.deepStrictEqual(codes, ["unauthorized"])
      assert.strictEqual(yield* findCode(open(link)), "unauthorized")
      const completePage = yield* loadPage(fixture, ann, { pass })
      assert.isTrue(completePage.is_whole)
      assert.deepStrictEqual(listBodies(completePage), ["to Bea", "to Ann"])
      for (const badPass of [link, oldLink, "x", undefined]) {
        assert.deepStrictEqual(
          listBodies(yield* loadPage(fixture, ann, badPass === undefined ? {} : { pass: badPass })),
          ["to Ann"]
        )
      }
      assert.deepStrictEqual(listBodies(yield* loadPage(fixture, other, { pass })), ["to Cyd"])
      yield* fixture.clock.advance(60 * minuteMs)
      assert.isFalse((yield* loadPage(fixture, ann, { pass })).is_whole)

      const expiredLink = yield* findLink(fixture, ann)
      yield* fixture.clock.advance(15 * minuteMs)
      assert.strictEqual(yield* findCode(open(expiredLink)), "unauthorized")
      const last = yield* findLink(fixture, ann)
      yield* fixture.call("customers.delete", { id: ann.customer_id })
      assert.strictEqual(yield* findCode(open(last)), "unauthorized")
      assert.isTrue(Option.isNone(yield* fixture.ahead.inbox.link({ orgId: fixture.orgId, id: ann.id })))
    }
  ),

  race(
    "guests/asked",
    "emails at most one link every 3 minutes",
    function*(fixture, round) {
      const { ann } = yield* createTrips(fixture)
      const ask = (side: TwoServerFixture["ahead"]) => side.asGuest(ann.handle, "guest.link", {})
      const mailed = Effect.map(
        Store.conversations.findByCustomer([{ orgId: fixture.orgId, id: ann.customer_id }]),
        ([conversation]) => conversation?.link?.digest
      )
      assert.deepStrictEqual((yield* runConcurrently(round, [ask(fixture.ahead), ask(fixture.behind)])).codes, [])
      const first = yield* mailed
      assert.isDefined(first)
      yield* fixture.clock.advance(3 * minuteMs - 1)
      yield* ask(fixture.behind)
      assert.strictEqual(yield* mailed, first)
      yield* fixture.clock.advance(1)
      yield* ask(fixture.ahead)
      assert.notStrictEqual(yield* mailed, first)
    }
  ),

  race(
    "guests/erased",
    "shows no data about an erased guest, and accepts no messages from them",
    function*(fixture) {
      const { ann } = yield* createTrips(fixture)
      yield* sendGuestMessage(fixture, ann, "to Ann")
      yield* fixture.call("customers.delete", { id: ann.customer_id })
      const guestPage = yield* loadPage(fixture, ann)
      assert.isTrue(guestPage.is_erased)
      assert.isNull(guestPage.contact)
      assert.deepStrictEqual(listBodies(guestPage).filter((body) => body !== ""), [])
      for (const [name, input] of [["guest.write", { body: "Hello" }], ["guest.link", {}]] as const) {
        assert.strictEqual(yield* findCode(fixture.ahead.asGuest(ann.handle, name, input)), "customer_erased")
      }
      const storedBooking = (yield* fixture.stored).find(({ id }) => id === ann.id)
      assert.isNull(storedBooking?.contact)
    }
  )
]
