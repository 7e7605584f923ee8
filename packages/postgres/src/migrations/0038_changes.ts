/**
 * Adds staff notes to bookings. Also adds the online payment amount, for bookings whose price changes after the
 * payment.
 */
export const changes = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".bookings
    add column staff_notes text collate "C" not null default '', add column online_cents bigint`
]
