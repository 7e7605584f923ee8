/**
 * The requests for each operation on a large outfitter. An operation with several access paths has a case for each
 * path, and each turn uses a different resource.
 */
import type { Instant } from "@trailbook/core/time/Instant"
import { type Outfitter, referenceOf } from "./outfitter.ts"

export interface Case {
  /** The operation, optionally followed by a colon and the variant. */
  readonly name: string
  /** Returns the input for this turn. */
  readonly input: (turn: number) => Record<string, unknown>
  /** The maximum number of turns, for cases that use up their resources. */
  readonly turns?: number
  /**
   * Whether the case processes all of the outfitter's data or thousands of bookings. Such a case may take seconds, but
   * it must not block the event loop.
   */
  readonly isLong?: boolean
}

export interface World {
  readonly outfitter: Outfitter
  readonly now: Instant
  /** The available starts of an appointment offering. */
  readonly free: { readonly offering: string; readonly starts: ReadonlyArray<string> }
  /** The IDs of a webhook and a saved reply for each turn. */
  readonly webhooks: ReadonlyArray<string>
  readonly replies: ReadonlyArray<string>
}

/** Returns upcoming bookings by status. */
const countUpcomingByStatus = ({ outfitter: { bookingOf, size }, now }: World) => {
  const all = Array.from(
    { length: Math.min(2000, Math.floor(size.bookings / 2)) },
    (_, at) => bookingOf(size.bookings - 1 - at)
  ).filter(({ startsAt }) => startsAt > now)
  return {
    held: all.filter(({ status }) => status === "held").map(({ id }) => id),
    confirmed: all.filter(({ sessionId, status }) => status === "confirmed" && sessionId === null).map(({ id }) => id)
  }
}

/** Returns the IDs of the latest confirmed bookings that have started. */
const listDeparted = ({ outfitter: { bookingOf, size }, now }: World) => {
  const ids: Array<string> = []
  for (let at = size.bookings - 1; at >= 0 && ids.length < 50; at--) {
    const { id, startsAt, status } = bookingOf(at)
    if (startsAt <= now && status === "confirmed") ids.push(id)
  }
  return ids
}

const pickAt = <A>(values: ReadonlyArray<A>, turn: number): A => {
  const value = values[turn % values.length]
  if (value === undefined) throw new Error("The outfitter is too small for this case.")
  return value
}

/** Returns all cases. No two cases change the same booking, guest, or offering. */
export const cases = (world: World): ReadonlyArray<Case> => {
  const { free, now, outfitter, replies, webhooks } = world
  const { bookingOf, customers, offerings, proposals, questions, sessions, size, threads } = outfitter
  const { confirmed, held } = countUpcomingByStatus(world)
  const departedIds = listDeparted(world)
  const pickGuest = (turn: number) => pickAt(customers, 1000 + turn * 37)
  const pickThread = (turn: number) => pickAt(threads, 1 + turn)
  const pickWriter = (turn: number) => pickThread(turn).customerId
  const soon = sessions.filter(({ startsAt }) => startsAt > now).toReversed()
  const formatDay = (days: number) => new Date(now + days * 86_400_000).toISOString()
  const formatDate = (days: number) => formatDay(days).slice(0, 10)
  const pickOffering = (turn: number) => pickAt(offerings, 4 + turn)
  const busy = { offering: pickAt(offerings, 1), guest: pickAt(customers, 0), session: pickAt(sessions, 0) }
  const makeSearches = (turn: number): Readonly<Record<string, string>> => ({
    "search by name": pickGuest(turn).name.toUpperCase(),
    "search by one common word": "elena",
    "search by two common words": "garcia zoe",
    "search by email address": pickGuest(turn).email,
    "search by phone number": pickGuest(turn).phone.replace("+1 ", "").replaceAll("-", " "),
    "search by reference": referenceOf(turn * 31),
    "search without a match": "nobody of this name"
  })
  const makeSearchCases = (operation: string): ReadonlyArray<Case> =>
    Object.keys(makeSearches(0)).map((kind) => ({
      name: `${operation}: ${kind}`,
      input: (turn) => ({ q: makeSearches(turn)[kind] ?? "" })
    }))
  const statuses = ["held", "confirmed", "cancelled"].flatMap((status): ReadonlyArray<Case> => [
    { name: `bookings.list: ${status}`, input: () => ({ status }) },
    { name: `bookings.list: ${status}, latest start first`, input: () => ({ status, order: "desc" }) },
    {
      name: `bookings.list: ${status}, for one offering`,
      input: (turn) => ({ status, offering_id: pickOffering(turn).id })
    }
  ])
  const makeGuest = (turn: number) => ({
    email: `new${turn}@example.org`,
    name: `New Guest ${turn}`,
    phone: "719-555-0199"
  })

  return [
    { name: "org.get", input: () => ({}) },
    { name: "billing.get", input: () => ({}) },
    { name: "offerings.list", input: () => ({}) },
    { name: "offerings.get", input: (turn) => ({ id: pickOffering(turn).id }) },
    { name: "offerings.get_hours", input: (turn) => ({ id: pickOffering(turn).id }) },
    { name: "availability.get", input: (turn) => ({ id: pickOffering(turn).id }) },
    {
      name: "availability.get: for 301 days",
      input: () => ({ id: busy.offering.id, from: formatDate(0), to: formatDate(300) })
    },
    { name: "sessions.list", input: () => ({}) },
    { name: "sessions.list: upcoming", input: () => ({ from: formatDay(0) }) },
    { name: "bookings.get", input: (turn) => ({ id: bookingOf(turn * 17 % size.bookings).id }) },
    { name: "bookings.list", input: () => ({}) },
    { name: "bookings.list: page of 500, latest start first", input: () => ({ limit: 500, order: "desc" }) },
    { name: "bookings.list: page of 500, newest first", input: () => ({ limit: 500, sort: "created" }) },
    { name: "bookings.list: for one week", input: () => ({ from: formatDay(0), to: formatDay(7) }) },
    { name: "bookings.list: for one guest", input: (turn) => ({ customer_id: pickGuest(turn).id }) },
    { name: "bookings.list: for one session", input: (turn) => ({ session_id: pickAt(sessions, 7 + turn).id }) },
    ...statuses,
    ...makeSearchCases("bookings.list"),
    { name: "customers.list", input: () => ({}) },
    ...makeSearchCases("customers.list"),
    { name: "customers.get", input: (turn) => ({ id: pickGuest(turn).id }) },
    { name: "customers.get: with thousands of bookings", input: () => ({ id: busy.guest.id }), isLong: true },
    { name: "events.list", input: () => ({}) },
    { name: "events.list: newest events", input: () => ({ after: size.bookings - 100 }) },
    {
      name: "events.list: one event type",
      input: () => ({ type: "booking.confirmed", after: Math.floor(size.bookings / 2) })
    },
    { name: "webhooks.list", input: () => ({}) },
    { name: "conversations.list", input: () => ({}) },
    { name: "conversations.list: unread", input: () => ({ unread: true }) },
    { name: "conversations.list: for one guest", input: (turn) => ({ customer_id: pickWriter(turn) }) },
    // The search scans the text of all messages, a few thousand per database query.
    { name: "conversations.list: search of all messages", input: () => ({ q: "wetsuits" }), isLong: true },
    { name: "conversations.get", input: (turn) => ({ id: pickThread(turn).id }) },
    { name: "messages.list", input: () => ({}) },
    { name: "messages.list: for one conversation", input: (turn) => ({ conversation_id: pickThread(turn).id }) },
    { name: "saved_replies.list", input: (turn) => ({ conversation_id: pickThread(turn).id }) },
    { name: "automations.list", input: () => ({}) },
    { name: "proposals.list", input: () => ({}) },
    { name: "proposals.list: pending", input: () => ({ status: "pending" }) },

    { name: "conversations.update", input: (turn) => ({ id: pickThread(turn).id, status: "done" }) },
    { name: "conversations.delete", input: (turn) => ({ id: pickAt(questions, turn).id }) },
    { name: "messages.send", input: (turn) => ({ customer_id: pickWriter(turn), body: "See you at the boathouse." }) },
    {
      name: "messages.send: first message to a guest",
      input: (turn) => ({ customer_id: pickAt(customers, threads.length + turn).id, body: "Bring a jacket." })
    },
    {
      name: "messages.broadcast",
      input: (turn) => ({ target: { session_id: pickAt(soon, 40 + turn).id }, body: "We start an hour later." })
    },
    { name: "messages.draft", input: (turn) => ({ conversation_id: pickThread(100 + turn).id }) },
    {
      name: "saved_replies.create",
      input: (turn) => ({ title: `Reply ${turn}`, body: "Dear {first_name}" }),
      turns: 5
    },
    { name: "saved_replies.update", input: (turn) => ({ id: pickAt(replies, turn), body: `Hello ${turn}` }) },
    { name: "saved_replies.delete", input: (turn) => ({ id: pickAt(replies, turn) }), turns: replies.length },
    { name: "automations.update", input: (turn) => ({ automation: "brief", dial: turn % 2 === 0 ? "ask" : "off" }) },
    { name: "proposals.approve", input: (turn) => ({ id: pickAt(proposals.waiting, turn).id }) },
    { name: "proposals.dismiss", input: (turn) => ({ id: pickAt(proposals.waiting, 30 + turn).id }) },
    { name: "proposals.undo", input: (turn) => ({ id: pickAt(proposals.done, turn).id }) },

    { name: "org.update", input: (turn) => ({ reply_window: `within ${turn} hours` }) },
    { name: "offerings.create", input: (turn) => ({ name: `New ${turn}`, kind: "class" }) },
    { name: "offerings.update", input: (turn) => ({ id: pickOffering(turn).id, description: `Class ${turn}` }) },
    {
      name: "offerings.set_hours",
      input: (turn) => ({
        id: pickAt(offerings, 5 + 2 * turn).id,
        hours: [{ weekday: turn % 7, start_time: "09:00", end_time: "17:00" }]
      })
    },
    {
      name: "sessions.create",
      input: (turn) => ({ offering_id: pickAt(offerings, 4 + 2 * turn).id, starts_at: formatDay(20 + turn) })
    },
    { name: "sessions.cancel", input: (turn) => ({ id: pickAt(soon, turn).id }) },
    {
      name: "bookings.create",
      input: (turn) => ({
        offering_id: free.offering,
        starts_at: pickAt(free.starts, turn),
        customer_id: pickGuest(turn).id
      })
    },
    {
      name: "bookings.create: for a new guest",
      input: (turn) => ({ offering_id: free.offering, starts_at: pickAt(free.starts, turn), customer: makeGuest(turn) })
    },
    { name: "bookings.confirm", input: (turn) => ({ id: pickAt(held, turn) }) },
    { name: "bookings.check_in", input: (turn) => ({ id: pickAt(departedIds, turn) }) },
    { name: "bookings.mark_no_show", input: (turn) => ({ id: pickAt(departedIds, turn) }) },
    { name: "bookings.clear_attendance", input: (turn) => ({ id: pickAt(departedIds, turn) }) },
    { name: "bookings.resend", input: (turn) => ({ id: pickAt(confirmed, turn) }) },
    {
      name: "bookings.move",
      input: (turn) => {
        const booking = bookingOf(Number.parseInt(pickAt(confirmed, 20 + turn).slice(-12), 16))
        return { id: booking.id, starts_at: new Date(booking.startsAt).toISOString() }
      }
    },
    { name: "bookings.update", input: (turn) => ({ id: pickAt(confirmed, 20 + turn), staff_notes: `Boat ${turn}` }) },
    { name: "bookings.cancel", input: (turn) => ({ id: pickAt(confirmed, 40 + turn) }) },
    { name: "bookings.restore", input: (turn) => ({ id: pickAt(confirmed, 40 + turn) }) },
    { name: "customers.upsert", input: (turn) => ({ email: `walk-in${turn}@example.org`, name: `Walk In ${turn}` }) },
    { name: "customers.update", input: (turn) => ({ id: pickGuest(turn).id, name: `Elena Renamed ${turn}` }) },
    { name: "customers.delete", input: (turn) => ({ id: pickGuest(50 + turn).id }) },
    { name: "webhooks.create", input: (turn) => ({ url: `https://example.org/hook${turn}` }), turns: 5 },
    { name: "webhooks.delete", input: (turn) => ({ id: pickAt(webhooks, turn) }), turns: webhooks.length },
    {
      name: "offerings.delete",
      input: (turn) => ({ id: pickAt(offerings, size.offerings - 2 - turn).id, cancel_bookings: true })
    },

    { name: "org.export", input: () => ({}), turns: 1, isLong: true },
    {
      name: "sessions.cancel: with thousands of bookings",
      input: () => ({ id: busy.session.id }),
      turns: 1,
      isLong: true
    },
    {
      name: "customers.delete: with thousands of bookings",
      input: () => ({ id: busy.guest.id }),
      turns: 1,
      isLong: true
    },
    {
      name: "offerings.delete: with half of all bookings",
      input: () => ({ id: busy.offering.id, cancel_bookings: true }),
      turns: 1,
      isLong: true
    },
    { name: "org.get: at the end of the run", input: () => ({}) }
  ]
}
