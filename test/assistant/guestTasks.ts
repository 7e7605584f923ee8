/** The tasks for a guest's assistant on the booking page, in guests' words. */
import type { Fact, Step, Task } from "./Task.ts"

const makeFact = (field: string, ...words: ReadonlyArray<string>): Fact => ({ field, of: words })

const makeSearch = (q: string): Step => ({ tool: "trips_search", input: { q } })

const makeAvailability = (name: string, input: Step["input"]): Step => ({
  tool: "trip_availability",
  input: { id: makeFact("id", name), ...input }
})

const [canyon, float, fishing, kayak] = ["Browns Canyon", "Family Float", "Fly Fishing", "Touring Kayak"] as const

const saturday = "2027-05-15"

const guest = { name: "Ada Lovelace", email: "ada@example.com" }

const idempotency_key = "0199aaaa-0000-4000-8000-000000000001"

/**
 * Returns the row for the booking that the task creates. The booking is only held, because the guest must confirm it.
 */
const makeHeldRow = (row: object) =>
  ["bookings.list", { q: guest.email }, { status: "held", source: "mcp", ...row }] as const

const tasks: ReadonlyArray<Task> = [
  {
    name: "a guest looks for trips with small children",
    prompt: "Which trips do you have for a family with a child of 5?",
    intent: "read",
    path: [{ tool: "trips_search" }],
    shows: ["Salida to Rincon Family Float", "Ages 4 and up", "Ages 8 and up", ["from_cents", 6500]]
  },
  {
    name: "a guest asks for the price on a day",
    prompt: "What does Browns Canyon cost for two on Saturday, and when does it start?",
    intent: "read",
    path: [makeSearch(canyon), makeAvailability(canyon, { date: saturday, quantity: 2 })],
    shows: [["total_cents", 19_000], "Sat 2027-05-15 09:00"]
  },
  {
    name: "a guest asks what a cancellation costs",
    prompt: "If I book the family float and cancel, do I get my money back?",
    intent: "read",
    setup: [["org.update", {
      cancellation_policy: { steps: [{ until_hours: 72, keep_bps: 0 }, { until_hours: 24, keep_bps: 5000 }] }
    }]],
    path: [makeSearch(float), makeAvailability(float, {})],
    shows: ["Until 72 h before the start: free.", "Until 24 h before the start: 50% of the total is kept."]
  },
  {
    name: "a guest asks what to bring",
    prompt: "What do we bring for Browns Canyon?",
    intent: "read",
    path: [makeSearch(canyon), makeAvailability(canyon, {})],
    shows: ["Shoes that can get wet", "All guests must be able to swim."]
  },
  {
    name: "a guest asks for a day that is too full",
    prompt: "Are there 11 seats on Browns Canyon on Saturday?",
    intent: "read",
    path: [makeSearch(canyon), makeAvailability(canyon, { date: saturday, quantity: 11 })],
    shows: [["remaining", 10], "2027-05-21", "No start on 2027-05-15 has room for 11."]
  },
  {
    name: "a guest asks for more places than one booking has",
    prompt: "Are there 14 seats on Browns Canyon on 2027-05-21?",
    intent: "read",
    path: [makeSearch(canyon), makeAvailability(canyon, { date: "2027-05-21", quantity: 14 })],
    shows: ["One booking can have at most 12 spots, so this response shows availability for 12.", ["quantity", 12]]
  },
  {
    name: "a guest asks for the price of a rental for several days",
    prompt: "How much is one touring kayak for 4 days from Friday?",
    intent: "read",
    path: [makeSearch(kayak), makeAvailability(kayak, { date: "2027-05-14", periods: 4 })],
    shows: [["total_cents", 18_000], "Fri 2027-05-14 08:00"]
  },
  {
    name: "a guest asks for a quote",
    prompt: "Get me a quote for two anglers fly fishing.",
    intent: "read",
    path: [makeSearch(fishing), {
      tool: "booking_quote",
      input: { offering_id: makeFact("id", fishing), quantity: 2 }
    }],
    shows: [["total_cents", 32_500], "No online payment is due"]
  },
  {
    name: "a guest books a departure",
    prompt:
      "Book Browns Canyon for two on Saturday at 9 AM. I am Ada Lovelace, ada@example.com, and the terms are fine.",
    intent: "change",
    path: [makeSearch(canyon), makeAvailability(canyon, { date: saturday, quantity: 2 }), {
      tool: "booking_hold",
      input: {
        offering_id: makeFact("id", canyon),
        session_id: makeFact("session_id", "2027-05-15 09:00"),
        quantity: 2,
        expected_total_cents: makeFact("total_cents", canyon),
        ...guest,
        idempotency_key
      }
    }],
    shows: [["status", "held"], "open the link in the email"],
    after: makeHeldRow({ quantity: 2, total_cents: 19_000 })
  },
  {
    name: "a guest books a departure and pays online",
    prompt:
      "Book Browns Canyon for two on Saturday at 9 AM. I am Ada Lovelace, ada@example.com, and the terms are fine.",
    intent: "change",
    isPaidOnline: true,
    path: [makeSearch(canyon), makeAvailability(canyon, { date: saturday, quantity: 2 }), {
      tool: "booking_hold",
      input: {
        offering_id: makeFact("id", canyon),
        session_id: makeFact("session_id", "2027-05-15 09:00"),
        quantity: 2,
        expected_total_cents: makeFact("total_cents", canyon),
        ...guest,
        idempotency_key
      }
    }],
    shows: [["status", "held"], "checkout_url", "https://till.example/"],
    after: makeHeldRow({ quantity: 2, total_cents: 19_000 })
  },
  {
    name: "a guest books a guide",
    prompt:
      "Book the fly fishing on Saturday at noon, 12:00, for one. Ada Lovelace, ada@example.com; I accept the terms.",
    intent: "change",
    path: [makeSearch(fishing), makeAvailability(fishing, { date: saturday }), {
      tool: "booking_hold",
      input: {
        offering_id: makeFact("id", fishing),
        starts_at: makeFact("starts_at", "2027-05-15 12:00"),
        expected_total_cents: makeFact("total_cents", fishing),
        ...guest,
        idempotency_key
      }
    }],
    shows: [["status", "held"], ["due_now_cents", 0], "not yet confirmed"],
    after: makeHeldRow({ quantity: 1, starts_at: "2027-05-15T18:00:00.000Z" })
  },
  {
    name: "a guest asks for more seats than a visitor can take",
    prompt: "Book Browns Canyon for 4 people on Saturday at 9 AM. Ada Lovelace, ada@example.com; the terms are fine.",
    intent: "refuse",
    path: [makeSearch(canyon), makeAvailability(canyon, { date: saturday, quantity: 4 }), {
      tool: "booking_hold",
      input: {
        offering_id: makeFact("id", canyon),
        session_id: makeFact("session_id", "2027-05-15 09:00"),
        quantity: 4,
        expected_total_cents: makeFact("total_cents", canyon),
        ...guest,
        idempotency_key
      }
    }],
    shows: ["let the guest book on the booking page, which confirms their email first."]
  }
]

export const guestTasks = tasks.map((task): Task => ({ ...task, caller: "guest" }))
