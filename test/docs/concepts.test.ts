/** Sends every request on the concept pages and checks that the responses match the pages. */
import { type BookingCommand, bookingDecider, type HeldBooking } from "@trailbook/core/booking"
import * as Decider from "@trailbook/core/Decider"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import { assert, describe, it } from "vitest"
import { parsePage, readPage, table } from "./Page.ts"
import { tell } from "./story.ts"

describe("the concept pages match real responses", () => {
  it.each(["time", "capacity", "holds", "events"])("%s", async (name) => {
    assert.isAbove(await tell(readPage(`docs/concepts/${name}.md`)), 10)
  })
})

describe("the booking state table matches the core", () => {
  const now = Instant.make(Date.UTC(2027, 5, 1))
  const later = Instant.addMinutes(now, 15)
  const place = { sessionId: null, startsAt: later, endsAt: Instant.addMinutes(later, 60) }
  const elsewhere = { ...place, startsAt: Instant.addMinutes(later, 60), endsAt: Instant.addMinutes(place.endsAt, 60) }
  const hold: HeldBooking = {
    ...place,
    status: "held",
    id: "booking",
    orgId: "org",
    offeringId: "offering",
    customerId: "customer",
    periodMinutes: 60,
    periods: 1,
    quantity: 1,
    totalCents: 100,
    currency: "usd",
    deskCents: 0,
    keepCents: null,
    price: null,
    cancellationPolicy: null,
    onlineCents: null,
    staffNotes: "",
    reference: "ABCDEFGH",
    handle: "handle",
    checkInToken: "token",
    source: "api",
    notes: "",
    metadata: {},
    createdAt: now,
    confirmedAt: null,
    updatedAt: now,
    paidAt: null,
    paymentIntentId: null,
    refund: null,
    dispute: null,
    attendance: null,
    tapsFrom: now,
    previous: null,
    unproven: null,
    resentAt: null,
    contact: null,
    idempotency: { key: "key", fingerprint: "fingerprint" },
    expiresAt: later,
    paymentDue: false,
    checkoutUrl: null
  }
  const { checkoutUrl: _url, expiresAt: _at, paymentDue: _due, ...common } = hold
  const states = [
    { title: "held", booking: hold, placeIsFree: true },
    { title: "expired, capacity free", booking: { ...hold, expiresAt: now }, placeIsFree: true },
    { title: "expired, capacity taken", booking: { ...hold, expiresAt: now }, placeIsFree: false },
    { title: "confirmed", booking: { ...common, status: "confirmed" as const, confirmedAt: now }, placeIsFree: true },
    {
      title: "cancelled",
      booking: { ...common, status: "cancelled" as const, cancelledAt: now, keepCents: 0 },
      placeIsFree: true
    }
  ]
  const commands: Record<string, (placeIsFree: boolean) => Exclude<BookingCommand, { readonly _tag: "Create" }>> = {
    "confirm": (placeIsFree) => ({ _tag: "Confirm", now, placeIsFree }),
    "payment succeeds": (placeIsFree) => ({ _tag: "Pay", now, placeIsFree, paymentIntentId: "intent" }),
    "move": () => ({ _tag: "Move", now, to: elsewhere, target: Either.void }),
    "cancel": () => ({ _tag: "Cancel", now }),
    "restore": () => ({ _tag: "Restore", now, target: Either.void })
  }
  const page = readPage("docs/concepts/holds.md")
  const rows = table(page, "command")

  it("contains every command and state", () => {
    assert.deepStrictEqual(rows.map(([command]) => command), Object.keys(commands))
    assert.include(page.text, `| command | ${states.map(({ title }) => title).join(" | ")} |`)
  })

  it.each(rows.flatMap(([command = "", ...cells]) => cells.map((cell, at) => [command, at, cell] as const)))(
    "%s, column %i: %s",
    (command, at, cell) => {
      const { booking, placeIsFree } = states[at] ?? assert.fail("the table has too many columns")
      const decision = Decider.run(bookingDecider)(booking, commands[command]?.(placeIsFree) ?? assert.fail(command))
      const outcome = Either.match(decision, {
        onLeft: ({ code }) => `\`${code}\``,
        onRight: ({ events, state }) =>
          events.length === 0 ? "no change" : events[0]?._tag === "payment.returned" ? "refunded" : state.status
      })
      assert.strictEqual(cell.split(",")[0], outcome)
    }
  )
})

it("control: detects a response that differs from the page", async () => {
  const page = (remainingSeats: number) =>
    [
      "```http",
      "# At 2027-06-01T14:00:00Z",
      "# {hike}",
      "POST /v1/offerings",
      "",
      "{ \"name\": \"Hike\", \"kind\": \"appointment\", \"duration_minutes\": 480 }",
      "###",
      "GET /v1/offerings/{hike}/availability?to=2027-06-01",
      "```",
      "",
      "```json",
      `{ "data": [{ "starts_at": "2027-06-01T15:00:00.000Z", "remaining": ${remainingSeats} }] }`,
      "```",
      ""
    ].join("\n")
  assert.strictEqual(await tell(parsePage("page", page(1))), 2)
  let failure: unknown
  await tell(parsePage("page", page(2))).catch((error: unknown) => (failure = error))
  assert.include(String(failure), "remaining")
})
