import * as Instant from "@trailbook/core/time/Instant"
import { fileId } from "./fileId.ts"

/**
 * Returns the file name for an email. The name depends only on the ID. Names sort by time, because the first 48 bits of
 * a version 7 UUID are its creation time. For any other kind of ID, the name contains no time.
 */
export const fileName = (id: string): string => {
  const name = fileId(id)
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(name)
  return match === null ? `${name}.eml` : `${sortable(Number.parseInt(`${match[1]}${match[2]}`, 16))}-${name}.eml`
}

// Windows does not allow colons in file names.
const sortable = (millis: number): string => Instant.format(Instant.make(millis)).replaceAll(":", "-")
