/** Changes of bookings: the notes of the staff, and the amount of the online payment if the price changes after it. */
export const changes = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".bookings
    add column staff_notes text collate "C" not null default '', add column online_cents bigint`
]
