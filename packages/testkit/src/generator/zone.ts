import * as FastCheck from "effect/FastCheck"

/**
 * Zones with something to get wrong: halves and quarters of hours, midnights
 * that do not exist, negative summer time, clocks of half an hour, a date that
 * was left out, pauses for Ramadan, and the ends of the offsets.
 */
export const zone: FastCheck.Arbitrary<string> = FastCheck.constantFrom(
  "UTC",
  "America/Denver",
  "America/New_York",
  "America/Phoenix",
  "America/St_Johns",
  "America/Havana",
  "America/Santiago",
  "America/Asuncion",
  "America/Nuuk",
  "Europe/Berlin",
  "Europe/London",
  "Europe/Dublin",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Beirut",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Antarctica/Troll",
  "Australia/Lord_Howe",
  "Australia/Eucla",
  "Atlantic/Azores",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Marquesas"
)
