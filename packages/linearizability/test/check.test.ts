/** Checks handwritten histories, both possible and impossible, that cover every kind of event. */
import { checkHistory } from "@trailbook/linearizability/checkHistory"
import { formatExplanation } from "@trailbook/linearizability/formatExplanation"
import type {
  BookingObservation,
  CallResult,
  ClockChange,
  History,
  ObservedBooking,
  Operation,
  RecordedCall
} from "@trailbook/linearizability/History"
import { shrinkHistory } from "@trailbook/linearizability/shrinkHistory"
import { assert, describe, it } from "vitest"
import { guiding, hour, minute, rafting, toSeenBooking } from "./story.ts"

/** Places with a capacity of one. `overlapping` overlaps `here`, and `there` starts when `overlapping` ends. */
const offering = guiding(1)
const [here, overlapping, there] = ["p0", "p1", "p2"] as const
const startsAt = { p0: hour, p1: 1.5 * hour, p2: 2.5 * hour }
type PlaceName = keyof typeof startsAt

const at = (place: PlaceName) => ({ place, startsAt: startsAt[place], endsAt: startsAt[place] + hour })

const is = (
  booking: string,
  status: BookingObservation["status"],
  place: PlaceName,
  overrides: Partial<ObservedBooking> = {}
): CallResult<ObservedBooking> => ({
  _tag: "Booking",
  booking: {
    ...toSeenBooking({
      ...at(place),
      booking,
      status,
      quantity: 1,
      createdAt: 0,
      expiresAt: status === "held" ? 10 * minute : null,
      cancelledAt: status === "cancelled" ? 0 : null,
      previous: null
    }),
    ...overrides
  }
})

const all = (...answers: ReadonlyArray<CallResult<ObservedBooking>>): CallResult<ObservedBooking> => ({
  _tag: "Bookings",
  bookings: answers.flatMap((answer) => answer._tag === "Booking" ? [answer.booking] : [])
})

const slotsAnswer = (...counts: ReadonlyArray<number>): CallResult<ObservedBooking> => ({
  _tag: "Slots",
  slots: counts.map((remaining, at) => ({ place: `p${at}`, remaining }))
})

const no = (code: string): CallResult<ObservedBooking> => ({ _tag: "Refused", code })

const book = (booking: string, place: string, holdMinutes?: number, quantity = 1): Operation => ({
  _tag: "Book",
  booking,
  place,
  quantity,
  periods: 1,
  holdMinutes
})
const confirm = (booking: string): Operation => ({ _tag: "Confirm", booking })
const cancel = (booking: string): Operation => ({ _tag: "Cancel", booking })
const get = (booking: string): Operation => ({ _tag: "Get", booking })
const move = (booking: string, place: string): Operation => ({ _tag: "Move", booking, place })
const list: Operation = { _tag: "List", status: undefined }
const availability: Operation = { _tag: "Availability" }

/** The times of the request and the response, the operation, and the result. */
type Line = readonly [invoked: number, returned: number, operation: Operation, answer?: CallResult<ObservedBooking>]

const history = (lines: ReadonlyArray<Line>, sets: ReadonlyArray<ClockChange> = [], of = offering): History => ({
  offering: of,
  clock: [{ tick: 0, moment: 0 }, ...sets],
  calls: lines.map(([invoked, returned, operation, answer], index): RecordedCall => ({
    client: index + 1,
    operation,
    invoked,
    returned,
    answer
  }))
})

const k1 = is("k1", "confirmed", here)
const k2 = is("k2", "confirmed", here)
const hold = is("k1", "held", here)
const cancellation = is("k1", "cancelled", here)
const late: ClockChange = { tick: 25, moment: 11 * minute }

type Case = readonly [what: string, lines: ReadonlyArray<Line>, sets?: ReadonlyArray<ClockChange>]

const right: ReadonlyArray<Case> = [
  ["an empty history", []],
  ["two concurrent bookings of which the one that returns later gets the place", [
    [1, 9, book("k1", here), k1],
    [2, 3, book("k2", here), no("slot_full")]
  ]],
  ["a place that is canceled while another caller books it", [
    [1, 2, book("k1", here), k1],
    [3, 9, book("k2", here), no("slot_full")],
    [4, 5, cancel("k1"), cancellation]
  ]],
  ["two concurrent readers of which only one sees a new booking", [
    [1, 9, book("k1", here), k1],
    [2, 5, get("k1"), k1],
    [3, 4, get("k1"), no("not_found")]
  ]],
  ["a booking that moves away while another one takes its place", [
    [1, 2, book("k1", here), k1],
    [3, 8, move("k1", there), is("k1", "confirmed", there, { previous: at(here) })],
    [4, 9, book("k2", overlapping), is("k2", "confirmed", overlapping)]
  ]],
  ["a booking that is moved back and forth concurrently", [
    [1, 2, book("k1", here), k1],
    [3, 9, move("k1", there), is("k1", "confirmed", there, { previous: at(here) })],
    [4, 10, move("k1", here), is("k1", "confirmed", here, { previous: at(there) })],
    [5, 11, move("k1", there), is("k1", "confirmed", there, { previous: at(here) })],
    [12, 13, get("k1"), is("k1", "confirmed", there, { previous: at(here) })]
  ]],
  ["a request repeated with the same key", [
    [1, 5, book("k1", here), k1],
    [2, 6, book("k1", here), k1],
    [7, 8, book("k1", here, undefined, 2), no("idempotency_conflict")]
  ]],
  ["a rejected request that does not use up its key", [
    [1, 2, book("k2", here), k2],
    [3, 4, book("k1", here), no("slot_full")],
    [5, 6, book("k1", there), is("k1", "confirmed", there)]
  ]],
  ["a call that took effect although its response was lost", [[1, 2, book("k1", here)], [3, 4, get("k1"), k1]]],
  ["a call that took no effect and whose response was lost", [[1, 2, book("k1", here)], [
    3,
    4,
    get("k1"),
    no("not_found")
  ]]],
  ["a call that took effect long after its response was lost", [
    [1, 2, book("k1", here)],
    [3, 4, get("k1"), no("not_found")],
    [5, 6, book("k2", here), no("slot_full")],
    [7, 8, list, all(k1)]
  ]],
  ["a booking request that returns a booking that another caller has already canceled", [
    [1, 9, book("k1", here), cancellation],
    [2, 3, list, all(k1)],
    [4, 5, cancel("k1"), cancellation]
  ]],
  ["a hold that expires during two reads, of which one still sees it", [
    [1, 2, book("k1", here, 10), hold],
    [20, 30, book("k2", here), is("k2", "confirmed", here, { createdAt: 11 * minute })],
    [21, 31, confirm("k1"), no("hold_expired")]
  ], [late]],
  ["a hold that expires while it is confirmed", [
    [1, 2, book("k1", here, 10), hold],
    [20, 30, book("k2", here), no("slot_full")],
    [21, 31, confirm("k1"), k1]
  ], [late]],
  ["the confirmation of an expired hold whose place is free", [
    [1, 2, book("k1", here, 10), hold],
    [30, 31, move("k1", there), no("hold_expired")],
    [32, 33, confirm("k1"), k1]
  ], [late]],
  ["a start time that has passed", [
    [1, 2, book("k1", here), k1],
    [30, 31, availability, {
      _tag: "Slots",
      slots: [{ place: overlapping, remaining: 0 }, { place: there, remaining: 1 }]
    }],
    [32, 33, book("k2", here), no("slot_unavailable")]
  ], [{ tick: 25, moment: hour + 1 }]]
]

const wrong: ReadonlyArray<Case> = [
  ["a place that is sold twice", [[1, 9, book("k1", here), k1], [2, 3, book("k2", here), k2]]],
  ["two bookings that overlap", [
    [1, 9, book("k1", here), k1],
    [2, 3, book("k2", overlapping), is("k2", "confirmed", overlapping)]
  ]],
  ["a place to which one booking moves while another is sold", [
    [1, 2, book("k1", here), k1],
    [3, 9, move("k1", there), is("k1", "confirmed", there, { previous: at(here) })],
    [4, 8, book("k2", there), is("k2", "confirmed", there)]
  ]],
  ["a place reported as full although it has no booking", [[1, 2, book("k1", here), no("slot_full")]]],
  ["a place reported as full after its booking was canceled", [
    [1, 2, book("k1", here), k1],
    [3, 4, cancel("k1"), cancellation],
    [5, 6, book("k2", here), no("slot_full")]
  ]],
  ["a booking that is lost", [[1, 2, book("k1", here), k1], [3, 4, get("k1"), no("not_found")]]],
  ["a booking that is missing from a list", [[1, 2, book("k1", here), k1], [3, 4, list, all()]]],
  ["a booking that was never made", [[1, 2, get("k1"), k1]]],
  ["a stale read", [
    [1, 2, book("k1", here), k1],
    [3, 4, cancel("k1"), cancellation],
    [5, 6, get("k1"), k1]
  ]],
  ["two consecutive reads of which the second does not see the booking", [
    [1, 9, book("k1", here), k1],
    [2, 3, get("k1"), k1],
    [4, 5, get("k1"), no("not_found")]
  ]],
  ["more remaining places than exist", [[1, 2, book("k1", here), k1], [3, 4, availability, slotsAnswer(0, 1, 1)]]],
  ["one key that books twice", [
    [1, 5, book("k1", here), k1],
    [2, 6, book("k1", here), is("k1", "confirmed", here, { id: "id-other", identity: "another" })]
  ]],
  ["two keys that return the same booking", [
    [1, 2, book("k1", here), k1],
    [3, 4, book("k2", there), is("k2", "confirmed", there, { id: "id-k1" })]
  ]],
  ["one key that accepts two different requests", [[1, 2, book("k1", here), k1], [3, 4, book("k1", here, 10), k1]]],
  ["a canceled booking that is confirmed again", [
    [1, 2, book("k1", here), k1],
    [3, 4, cancel("k1"), cancellation],
    [5, 6, confirm("k1"), k1]
  ]],
  ["a call that takes effect before it is made", [
    [1, 2, get("k1"), k1],
    [3, 4, book("k1", here)]
  ]],
  ["a call that takes effect and is then undone", [
    [1, 2, book("k1", here)],
    [3, 4, get("k1"), k1],
    [5, 6, get("k1"), no("not_found")]
  ]],
  ["a hold that expires too early", [
    [1, 2, book("k1", here, 10), hold],
    [3, 4, book("k2", here), k2]
  ], [late]],
  ["a hold that keeps its place after it expired", [
    [1, 2, book("k1", here, 10), hold],
    [30, 31, book("k2", here), no("slot_full")]
  ], [late]],
  ["an expired hold that is confirmed after its place was sold", [
    [1, 2, book("k1", here, 10), hold],
    [30, 31, book("k2", here), is("k2", "confirmed", here, { createdAt: 11 * minute })],
    [32, 33, confirm("k1"), k1]
  ], [late]],
  ["a booking with a creation time in the past", [
    [30, 31, book("k1", here), k1]
  ], [late]],
  ["a list in the wrong order", [
    [1, 2, book("k2", there), is("k2", "confirmed", there)],
    [3, 4, book("k1", here), k1],
    [5, 6, list, all(is("k2", "confirmed", there), k1)]
  ]]
]

describe("the checker accepts", () => {
  for (const [what, lines, sets] of right) {
    it(what, () => assert.strictEqual(checkHistory(history(lines, sets))._tag, "Linearizable"))
  }
})

describe("the checker rejects", () => {
  for (const [what, lines, sets] of wrong) {
    it(what, () => assert.include(["NotLinearizable", "Contradiction"], checkHistory(history(lines, sets))._tag))
  }
})

it("the checker limits the seats in each session separately", () => {
  const two = is("k1", "confirmed", here, { quantity: 2 })
  const historyAt = (place: PlaceName) =>
    history(
      [[1, 2, book("k1", here, undefined, 2), two], [3, 4, book("k2", place), is("k2", "confirmed", place)]],
      [],
      rafting(2)
    )
  assert.strictEqual(checkHistory(historyAt(overlapping))._tag, "Linearizable")
  assert.strictEqual(checkHistory(historyAt(here))._tag, "NotLinearizable")
})

it("the checker reports no verdict if a search takes too long", () => {
  const many = Array.from({ length: 12 }, (_, at): Line => [at + 1, 100 + at, book(`k${at}`, there)])
  const lost = history([...many, [50, 51, get("k99"), k1]])
  assert.strictEqual(checkHistory(lost, 5)._tag, "Undecided")
  assert.strictEqual(checkHistory(lost)._tag, "NotLinearizable")
})

it("the checker never orders an unanswered booking before a list that omits it", () => {
  const many = Array.from({ length: 12 }, (_, at): Line => [at + 1, 100 + at, book(`k${at}`, there)])
  const lost = history([...many, [50, 51, get("k99"), k1], [52, 53, list, all()]])
  assert.strictEqual(checkHistory(lost, 5)._tag, "NotLinearizable")
})

it("the checker reports a violation in a few lines", () => {
  const shrunk = shrinkHistory(history([
    [1, 2, availability, slotsAnswer(1, 1, 1)],
    [3, 20, book("k1", here, 10), hold],
    [4, 6, book("k3", there), is("k3", "confirmed", there)],
    [5, 7, get("k3"), is("k3", "confirmed", there)],
    [8, 15, book("k2", overlapping), is("k2", "confirmed", overlapping)],
    [16, 22, list, all(hold, is("k2", "confirmed", overlapping), is("k3", "confirmed", there))]
  ]))
  assert.strictEqual(
    formatExplanation(shrunk, checkHistory(shrunk)),
    `No order of these calls explains their responses (appointment, room for 1):

clock     │     it is 00:00
client 2   ├──┤ book k1: 1 at 01:00, hold 10 min → k1 held until 00:10, 1 at 01:00–02:00
client 5    ├┤  book k2: 1 at 01:30 → k2 confirmed, 1 at 01:30–02:30

Longest possible order: book k2: 1 at 01:30.
State after this order: k2 confirmed, 1 at 01:30–02:30.
Next call: client 2, book k1: 1 at 01:00, hold 10 min.
  expected: slot_full
  actual:   k1 held until 00:10, 1 at 01:00–02:00`
  )
})
