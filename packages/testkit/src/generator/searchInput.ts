import type { Booking } from "@trailbook/core/booking"
import type { Customer } from "@trailbook/core/customer/Customer"
import * as FastCheck from "effect/FastCheck"

/** Describes how a search text is derived from existing data. */
export interface SearchInput {
  readonly of: "name" | "email" | "phone" | "reference" | "nothing"
  /** The index of the customer or booking. */
  readonly at: number
  /** The number of characters to take from the field's value. */
  readonly length: number
  readonly backwards: boolean
  readonly spelling: "as it is" | "loud" | "quiet" | "decomposed"
  /** Text to append. */
  readonly besides: string
}

/** Pattern wildcards, fragments of addresses and phone numbers, and text that matches everything or nothing. */
const suffixes = [
  "%",
  "_",
  "\\",
  "a",
  "A",
  "@",
  "%a",
  "_@",
  "a.co",
  "B.CO",
  "'",
  " ",
  "*",
  "?",
  "719",
  "0",
  "+1 555",
  "elena"
]

export const searchInput: FastCheck.Arbitrary<SearchInput> = FastCheck.record({
  of: FastCheck.constantFrom("name", "name", "email", "phone", "reference", "nothing"),
  at: FastCheck.nat({ max: 1000 }),
  length: FastCheck.constantFrom(1, 2, 3, 5, 100),
  backwards: FastCheck.boolean(),
  spelling: FastCheck.constantFrom("as it is", "loud", "quiet", "decomposed"),
  besides: FastCheck.oneof({ arbitrary: FastCheck.constant(""), weight: 2 }, {
    arbitrary: FastCheck.constantFrom(...suffixes),
    weight: 1
  })
})

const spellers: Readonly<Record<SearchInput["spelling"], (text: string) => string>> = {
  "as it is": (text) => text,
  loud: (text) => text.toUpperCase(),
  quiet: (text) => text.toLowerCase(),
  decomposed: (text) => text.normalize("NFD")
}

/** Builds the search text for these rows. */
export const toSearchText = (
  { at, backwards, besides, length, of, spelling }: SearchInput,
  customers: ReadonlyArray<Customer>,
  bookings: ReadonlyArray<Booking>
): string => {
  const reference = bookings[at % Math.max(bookings.length, 1)]?.reference ?? ""
  const customer = customers[at % Math.max(customers.length, 1)]
  const value = of === "nothing" || customer === undefined
    ? ""
    : of === "reference"
    ? backwards ? `${reference.slice(0, 4)}-${reference.slice(4)}` : reference
    : customer[of]
  // Truncate the text by code point, because a user cannot type half of a surrogate pair.
  const text = of === "reference" ? value : Array.from(value).slice(0, length).join("")
  const words = `${spellers[spelling](text)} ${besides}`.split(" ")
  return (backwards ? words.toReversed() : words).join(" ").trim()
}
