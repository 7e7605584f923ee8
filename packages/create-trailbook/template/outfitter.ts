/** Your business and its activities. `npm start` applies every change to the database. */
import type { Outfit } from "./apply.ts"

export const outfit: Outfit = {
  name: "My Outfitter",
  timezone: "America/Denver",
  currency: "usd",
  activities: {
    // A class has departures with seats. The key `half-day-raft` identifies the activity, so do not change it.
    "half-day-raft": {
      name: "Half-day raft trip",
      kind: "class",
      description: "Three hours on the river with a guide. Wetsuit and helmet included.",
      location: "Boathouse, 100 River Road",
      duration_minutes: 180,
      capacity: 12,
      max_per_booking: 6,
      price_cents: 8500,
      // Local times. 0 is Sunday and 6 is Saturday.
      departures: [{ weekdays: [0, 1, 2, 3, 4, 5, 6], times: ["09:00", "13:30"] }],
      weeks_ahead: 8
    },
    // A rental has items and weekly hours. Guests book one or more periods of `duration_minutes`.
    "kayak": {
      name: "Kayak rental",
      kind: "rental",
      description: "Single kayak with paddle and life vest.",
      location: "Boathouse, 100 River Road",
      duration_minutes: 60,
      max_periods: 4,
      capacity: 8,
      price_cents: 2500,
      hours: [
        { weekdays: [1, 2, 3, 4, 5], start_time: "10:00", end_time: "18:00" },
        { weekdays: [0, 6], start_time: "08:00", end_time: "20:00" }
      ]
    }
  }
}
