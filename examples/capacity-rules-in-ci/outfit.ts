import type { OfferingSetup, World } from "@trailbook/rules"

const rafts = 4

/** The outfitter's offerings in API format. */
export const offerings: OfferingSetup["offerings"] = [
  {
    name: "Guided half day",
    kind: "appointment",
    duration_minutes: 240,
    slot_interval_minutes: 60,
    capacity: 2,
    max_per_booking: 6,
    min_notice_minutes: 120,
    hours: [
      { weekday: 5, start_time: "08:00", end_time: "18:00" },
      { weekday: 6, start_time: "08:00", end_time: "20:00" },
      { weekday: 0, start_time: "08:00", end_time: "20:00" }
    ]
  },
  {
    name: "Raft",
    kind: "rental",
    duration_minutes: 240,
    slot_interval_minutes: 30,
    capacity: rafts,
    max_per_booking: 2,
    max_periods: 2,
    buffer_minutes: 30
  },
  {
    name: "Kayak roll clinic",
    kind: "class",
    capacity: 6,
    sessions: [{ starts_at: "2027-05-01T09:00:00-06:00", repeat_weeks: 4 }]
  }
]

const of = (name: string, { live }: World) => live.filter(({ offering }) => offering.name === name)

/** Two guides work at the boathouse. */
export const startsInOneHour = (world: World): boolean => {
  const hours = of("Guided half day", world).map(({ starts_at }) => {
    const { date, time } = world.local(starts_at)
    return `${date} ${time.slice(0, 2)}`
  })
  return hours.every((hour) => hours.filter((other) => other === hour).length <= 2)
}

const later = (timestamp: string, minutes: number): string =>
  new Date(Date.parse(timestamp) + minutes * 60_000).toISOString()

/**
 * At each departure, the rafts on the river plus those that returned less than 30 minutes ago do not exceed the number
 * of rafts.
 */
export const raftsDry = (world: World): void => {
  const trips = of("Raft", world)
  for (const { starts_at } of trips) {
    const wet = trips.filter((trip) => trip.starts_at <= starts_at && starts_at < later(trip.ends_at, 30))
    const count = wet.reduce((sum, { quantity }) => sum + quantity, 0)
    if (count > rafts) throw new Error(`At ${starts_at}, ${count} rafts are out or drying.`)
  }
}
