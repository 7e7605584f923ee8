/** Completions for the arguments of templates and prompts: names, references, and dates that the caller can read. */
import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { bookingsList } from "@trailbook/core/booking"
import { customersList } from "@trailbook/core/customer"
import { offeringsList } from "@trailbook/core/offering"
import { orgGet } from "@trailbook/core/org"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { Call } from "./Calls.ts"
import { formatLabel } from "./resource/label.ts"

export type Completion = { values: Array<string>; hasMore: boolean }

/** Returns up to 20 completions, most likely first. A caller without read access gets no completions. */
export const complete =
  (call: Call) => (actor: Actor["Type"], argument: string, text: string): Effect.Effect<Completion> => {
    const source = Object.hasOwn(sources, argument) ? sources[argument] : undefined
    if (source === undefined) return Effect.succeed(none)
    return source(call, actor, text.trim().toLowerCase().slice(0, maxText)).pipe(
      Effect.map((texts) => ({ values: texts.slice(0, maxValues), hasMore: texts.length > maxValues })),
      // A failed query must not interrupt the user's typing.
      Effect.catchAllCause(() => Effect.succeed(none))
    )
  }

type Source = (call: Call, actor: Actor["Type"], text: string) => Effect.Effect<ReadonlyArray<string>, Refusal>

const maxValues = 20
const maxText = 100
/** The maximum number of rows to search for part of a name. */
const limit = 500

const none: Completion = { values: [], hasMore: false }

const offerings: Source = (call, actor, text) =>
  Effect.map(
    call(actor, offeringsList, { limit }),
    ({ data }) =>
      data.filter(({ name }) => name.toLowerCase().includes(text)).map(({ id, name }) => formatLabel(name, id))
  )

const sources: Readonly<Record<string, Source>> = {
  offering: offerings,
  what: (call, actor, text) =>
    Effect.map(
      call(actor, offeringsList, { limit }),
      ({ data }) =>
        data.filter(({ active, name }) => active && name.toLowerCase().includes(text)).map(({ name }) => name)
    ),
  booking: (call, actor, text) =>
    Effect.gen(function*() {
      const now = yield* currentTime
      // Search only bookings since yesterday, because users are most likely looking for an upcoming or recent booking.
      const { data } = yield* call(actor, bookingsList, { from: Instant.format(Instant.addMinutes(now, -1440)), limit })
      return data
        .filter(({ customer, reference }) => `${reference} ${customer.name}`.toLowerCase().includes(text))
        .map(({ customer, id, reference }) => formatLabel(`${reference} ${customer.name}`, id))
    }),
  customer: (call, actor, text) =>
    Effect.map(
      call(actor, customersList, { q: text, limit: maxValues + 1 }),
      ({ data }) => data.map(({ email, id, name }) => formatLabel(name === "" ? email : name, id))
    ),
  date: (call, actor, text) =>
    Effect.gen(function*() {
      const zone = Zone.get((yield* call(actor, orgGet, {})).timezone)
      const today = zone.dateAt(yield* currentTime)
      return Array.from({ length: 14 }, (_, days) => LocalDate.format(LocalDate.addDays(today, days)))
        .filter((date) => date.startsWith(text))
    })
}
