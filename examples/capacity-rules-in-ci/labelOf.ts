import type { OfferingInput } from "@trailbook/testkit/capacityLaws"

/** What is printed on the badge of a boat: as much of the name as fits, and how many there are. */
export const labelOf = ({ capacity, name }: OfferingInput): string => {
  const count = ` x ${capacity ?? "default"}`
  return [...name.trim()].slice(0, 40 - count.length).join("") + count
}
