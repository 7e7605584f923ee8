/**
 * Bookings are counted by two triggers, and a statement that inserts or replaces calls
 * both: the one that it has no rows for ends at once, and does not ask for their sum.
 */
import { counting, made, recounted } from "./0006_growth.ts"

export const countedOnce = (schema: string): ReadonlyArray<string> => [
  counting(schema, "bookings_counted", made, "made"),
  counting(schema, "bookings_recounted", recounted, "after")
]
