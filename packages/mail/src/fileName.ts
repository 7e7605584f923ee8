import * as Instant from "@trailbook/core/time/Instant"
import { fileId } from "./fileId.ts"

/**
 * The name of a mail's file, which sorts by time and is the same for the same id.
 * The first 48 bits of a UUID of version 7 are the moment at which it was made;
 * any other id says nothing of time, and neither does its name.
 */
export const fileName = (id: string): string => {
  const name = fileId(id)
  const made = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(name)
  return made === null ? `${name}.eml` : `${sortable(Number.parseInt(`${made[1]}${made[2]}`, 16))}-${name}.eml`
}

// Windows allows no colon in a file's name.
const sortable = (millis: number): string => Instant.format(Instant.make(millis)).replaceAll(":", "-")
