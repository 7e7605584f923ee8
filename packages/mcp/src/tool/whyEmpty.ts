/**
 * Where nothing was found: what was looked for, and what else to try. A model
 * that reads an empty list takes it for the whole truth.
 *
 * @since 0.1.0
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Data } from "./compact.ts"

/**
 * @since 0.1.0
 * @category formatting
 */
export const whyEmpty = ({ name }: Operation.Any, given: Data, answer: Data): ReadonlyArray<string> => {
  const { data, next_before } = answer
  const known = lists[name]
  if (known === undefined || !Array.isArray(data) || data.length > 0) return []
  const asked = Object.entries(given).filter(([field]) => !ways.has(field))
  const filters = asked.map(([field, value]) => `${field}=${JSON.stringify(value)}`).join(", ")
  const looked = `No ${known.what}${asked.length === 0 ? " at all" : ` with ${filters}`}.`
  if (next_before !== undefined) {
    return [`${looked} The newest were looked through: call again with before=${String(next_before)} for earlier ones.`]
  }
  const end = given.cursor === undefined ? "" : " This was the last page: leave out cursor to begin anew."
  const less = asked.length === 0 || (asked.length === 1 && "q" in given)
    ? ""
    : ` Try it without ${asked.map(([field]) => field).join(" or ")}.`
  return [`${looked}${end}${less}${known.else === "" ? "" : ` ${known.else}`}`]
}

/** Fields that narrow nothing. */
const ways: ReadonlySet<string> = new Set(["limit", "order", "cursor"])

interface List {
  readonly what: string
  readonly else: string
}

const lists: Readonly<Record<string, List>> = {
  "bookings.list": {
    what: "bookings",
    else: "A guest is found by customers_list with q, and customers_get has all of their bookings, cancelled ones too."
  },
  "customers.list": {
    what: "guests",
    else:
      "Leave out q for all of them, or try it with one word of the name, a part of the e-mail address, or the last digits of the phone number."
  },
  "sessions.list": {
    what: "sessions",
    else: "Only classes have sessions: offerings_list says which those are; the others have starts in availability_get."
  },
  "offerings.list": { what: "offerings", else: "" },
  "events.list": { what: "events", else: "An event is listed once it is 2 seconds old." },
  "webhooks.list": { what: "webhooks", else: "" },
  "offerings.get_hours": { what: "weekly hours", else: "Classes have sessions instead: sessions_list." }
}
