/**
 * Explains an empty list with the filters that were applied, and suggests alternatives. Without an explanation, a model
 * concludes that no data exists.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Data } from "./compactResult.ts"

export const emptyListHint = ({ name }: Operation.Any, input: Data, answer: Data): ReadonlyArray<string> => {
  const { data, next_before } = answer
  const list = lists[name]
  if (list === undefined || !Array.isArray(data) || data.length > 0) return []
  const usedFilters = Object.entries(input).filter(([field]) => !ways.has(field))
  const filters = usedFilters.map(([field, value]) => `${field}=${JSON.stringify(value)}`).join(", ")
  const sentence = `No ${list.what}${usedFilters.length === 0 ? " at all" : ` with ${filters}`}.`
  if (next_before !== undefined) {
    return [
      `${sentence} Only the newest entries were searched. Call again with before=${
        JSON.stringify(next_before)
      } to search earlier entries.`
    ]
  }
  const end = input.cursor === undefined ? "" : " This was the last page. To start again, omit cursor."
  const suggestion = usedFilters.length === 0 || (usedFilters.length === 1 && "q" in input)
    ? ""
    : ` Try again without ${usedFilters.map(([field]) => field).join(" or ")}.`
  return [`${sentence}${end}${suggestion}${list.else === "" ? "" : ` ${list.else}`}`]
}

/** Input fields that are not filters. */
const ways: ReadonlySet<string> = new Set(["limit", "order", "cursor"])

interface List {
  readonly what: string
  readonly else: string
}

const lists: Readonly<Record<string, List>> = {
  "bookings.list": {
    what: "bookings",
    else: "q matches a reference or a word in the guest's name, email, or phone. customers_get returns all of a " +
      "guest's bookings, including canceled ones."
  },
  "customers.list": {
    what: "guests",
    else: "All words of q must match. Try one word of the name, the beginning of the email address, some " +
      "digits of the phone number, or a booking reference."
  },
  "sessions.list": {
    what: "sessions",
    else: "Only classes have sessions (see kind in offerings_list). For other offerings, use availability_get."
  },
  "offerings.list": { what: "offerings", else: "" },
  "events.list": { what: "events", else: "New events appear with a delay of 2 seconds." },
  "webhooks.list": { what: "webhooks", else: "" },
  "offerings.get_hours": { what: "weekly hours", else: "For classes, use sessions_list." }
}
