import { formatQuantity } from "@trailbook/core/offering/formatQuantity"
import { expect, it } from "vitest"

it.each(
  [
    ["class", 1, "1 guest"],
    ["class", 2, "2 guests"],
    ["appointment", 1, "1 person"],
    ["appointment", 4, "Party of 4"],
    ["rental", 1, "1 item"],
    ["rental", 3, "3 items"]
  ] as const
)("describes a %s with the quantity %i as %s", (kind, quantity, expected) => {
  expect(formatQuantity(kind, quantity)).toBe(expected)
})
