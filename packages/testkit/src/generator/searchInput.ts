import type { Booking } from "@trailbook/core/booking/Booking"
import type { Customer } from "@trailbook/core/customer/Customer"
import * as FastCheck from "effect/FastCheck"

/** How somebody comes to the words they search for. */
export interface SearchInput {
  readonly of: "name" | "email" | "phone" | "reference" | "nothing"
  /** Which of the guests or bookings. */
  readonly at: number
  /** So many characters are typed of it. */
  readonly length: number
  readonly backwards: boolean
  readonly spelling: "as it is" | "loud" | "quiet" | "decomposed"
  /** And this besides. */
  readonly besides: string
}

/** What a pattern would read as a sign of its own, parts of addresses and phones, and what finds too much or nothing. */
const besides = [
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
    arbitrary: FastCheck.constantFrom(...besides),
    weight: 1
  })
})

const spelled: Readonly<Record<SearchInput["spelling"], (text: string) => string>> = {
  "as it is": (text) => text,
  loud: (text) => text.toUpperCase(),
  quiet: (text) => text.toLowerCase(),
  decomposed: (text) => text.normalize("NFD")
}

/** What is typed in search of these. */
export const toSearchText = (
  { at, backwards, besides, length, of, spelling }: SearchInput,
  customers: ReadonlyArray<Customer>,
  bookings: ReadonlyArray<Booking>
): string => {
  const reference = bookings[at % Math.max(bookings.length, 1)]?.reference ?? ""
  const customer = customers[at % Math.max(customers.length, 1)]
  const whole = of === "nothing" || customer === undefined
    ? ""
    : of === "reference"
    ? backwards ? `${reference.slice(0, 4)}-${reference.slice(4)}` : reference
    : customer[of]
  // Half of a pair is nothing that could be typed.
  const text = of === "reference" ? whole : Array.from(whole).slice(0, length).join("")
  const words = `${spelled[spelling](text)} ${besides}`.split(" ")
  return (backwards ? words.toReversed() : words).join(" ").trim()
}
