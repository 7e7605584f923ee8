/**
 * How bookings are sold on Postgres: on two lanes, so that one decides while the
 * other's commit is written, up to 64 together. While they run, whoever comes is
 * gathered, and nobody has to wait for others to come along: those who are being
 * answered and those whose batch is under way then take turns.
 */
export const batchOptions = { lanes: 2, batch: 64 }
