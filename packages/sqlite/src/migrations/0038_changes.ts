/** Changes of bookings: the notes of the staff, and the amount of the online payment if the price changes after it. */
export const changes: ReadonlyArray<string> = [
  "alter table bookings add column staff_notes text not null default ''",
  "alter table bookings add column online_cents integer"
]
