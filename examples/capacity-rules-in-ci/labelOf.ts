import type { OfferingInput } from "@trailbook/rules"

/** Returns the text for a boat's badge: as much of the name as fits, and the capacity. */
export const labelOf = ({ capacity, name }: OfferingInput): string => {
  const count = ` x ${capacity ?? "default"}`
  return [...name.trim()].slice(0, 40 - count.length).join("") + count
}
