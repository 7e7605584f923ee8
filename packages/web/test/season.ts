/** Sample offerings: one of each kind, with content that is hard to lay out. */
import type { World } from "./World.ts"

export interface Season {
  readonly raft: string
  /** The sessions, ordered by start time. The first session has one seat left. */
  readonly sessions: ReadonlyArray<string>
  readonly guide: string
  readonly kayak: string
}

export const season = async ({ call }: Pick<World, "call">): Promise<Season> => {
  const { id: raft } = await call("offerings.create", {
    name: "Browns Canyon Half Day",
    kind: "class",
    description:
      "Class III through Browns Canyon National Monument: Pinball, Zoom Flume, Big Drop, Staircase. Ten miles " +
      "from Fisherman's Bridge to Hecla Junction. The shuttle leaves from our boathouse. Ages 8 and up.",
    location: "Boathouse at Riverside Park, Salida, Colorado",
    duration_minutes: 240,
    capacity: 12,
    price_cents: 9500,
    lat: 38.53,
    lon: -105.99
  })
  const sessions: Array<string> = []
  for (const day of [3, 4, 5, 8, 10, 12, 15, 22]) {
    for (const hour of [15, 20]) {
      const starts_at = `2027-05-${String(day).padStart(2, "0")}T${hour}:00:00Z`
      const response = await call("sessions.create", { offering_id: raft, starts_at })
      // The response lists all created sessions.
      sessions.push(/"id":"([^"]+)"/.exec(JSON.stringify(response))?.[1] ?? "")
    }
  }
  const full = (session: string | undefined, quantity: number) =>
    call("bookings.create", {
      offering_id: raft,
      session_id: session,
      quantity,
      customer: { email: "hannah@example.com" }
    })
  await full(sessions[0], 10)
  await full(sessions[0], 1)
  await full(sessions[2], 10)
  await full(sessions[3], 10)
  await full(sessions[3], 2)
  const { id: guide } = await call("offerings.create", {
    name: "Fly Fishing with a Guide",
    kind: "appointment",
    description: "Two rods, one guide, and the stretch below Salida East. Waders and flies are on us.",
    location: "Ark Anglers, Salida",
    duration_minutes: 120,
    slot_interval_minutes: 60,
    capacity: 2,
    price_cents: 24000
  })
  const { id: kayak } = await call("offerings.create", {
    name: "Labyrinth Canyon Touring Kayak",
    kind: "rental",
    description:
      "A touring kayak with paddle, spray skirt, and life jacket, by the day. Flatwater from Green River through " +
      "Labyrinth Canyon to Mineral Bottom: 68 miles, four or five days.",
    location: "Green River State Park, Green River, Utah",
    duration_minutes: 1440,
    capacity: 8,
    max_periods: 7,
    slot_interval_minutes: 240,
    price_cents: 4500
  })
  return { raft, sessions, guide, kayak }
}
