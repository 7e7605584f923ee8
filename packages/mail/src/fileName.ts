import * as Instant from "@trailbook/core/time/Instant"
import { fileId } from "./fileId.ts"

/**
 * Returns the file name of a mail, which sorts by time and is the same for the same ID. The first 48 bits of a version
 * 7 UUID are its creation time. Names of other IDs contain no time.
 */
export const fileName = (id: string): string => {
  const name = fileId(id)
  const made = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(name)
  return made === null ? `${name}.eml` : `${sortable(Number.parseInt(`${made[1]}${made[2]}`, 16))}-${name}.eml`
}

// Windows does not allow colons in file names.
const sortable = (millis: number): string => Instant.format(Instant.make(millis)).replaceAll(":", "-")
