import type { OfferingSetup } from "@trailbook/rules"

/** A setup with one seat and short buffers, so that even scenarios with few steps cause conflicts. */
export const outfit = {
  timezone: "America/Denver",
  offerings: [
    {
      name: "Guided half day",
      kind: "appointment",
      duration_minutes: 240,
      slot_interval_minutes: 60,
      buffer_minutes: 30,
      min_notice_minutes: 120,
      max_advance_days: 20,
      max_per_booking: 6,
      hours: [0, 5, 6].map((weekday) => ({ weekday, start_time: "07:00", end_time: "19:00" }))
    },
    { name: "Raft", kind: "rental", duration_minutes: 1440, capacity: 3, max_per_booking: 2, max_periods: 3 },
    { name: "Roll clinic", kind: "class", capacity: 3, max_per_booking: 2 }
  ]
} as const satisfies Omit<OfferingSetup, "storage">
