import * as FastCheck from "effect/FastCheck"

/**
 * Time zones with edge cases: offsets of half and quarter hours, missing midnights, negative DST, half-hour DST, a
 * skipped date, DST pauses for Ramadan, and the extreme offsets.
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
