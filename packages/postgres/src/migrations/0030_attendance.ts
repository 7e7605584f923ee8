/**
 * Adds attendance to bookings, and a token for the QR code of each booking. The default of the token is volatile, so
 * Postgres evaluates it for each existing row. The server generates the token for a new row.
 */
export const newCheckInToken =
  "left(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'), 32)"

export const attendance = (schema: string): ReadonlyArray<string> => {
  const bookings = `"${schema}".bookings`
  return [
    `alter table ${bookings} add column attendance json not null default '{}',
      add column taps_from bigint not null default 0,
      add column check_in_token text collate "C" not null default ${newCheckInToken}`,
    `alter table ${bookings} alter column check_in_token drop default`,
    `create unique index bookings_by_check_in_token on ${bookings} (check_in_token)`
  ]
}
