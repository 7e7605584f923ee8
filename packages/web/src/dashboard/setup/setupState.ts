/**
 * How far an outfitter has come, read from what there is: nothing is kept of it, so it can be left and taken up again.
 */
import { offeringsGetHours, offeringsList } from "@trailbook/core/offering/offeringOperations"
import type { HoursEntryView, OfferingView } from "@trailbook/core/offering/OfferingView"
import * as Effect from "effect/Effect"
import { type Bookability, toBookability } from "../offerings/bookability.tsx"
import type { PageContext } from "../Page.ts"

/** The offering that is set up, and how it stands; none is there yet at the beginning. */
export interface SetupProgress {
  readonly offering: OfferingView
  readonly standing: Bookability
  readonly hours: ReadonlyArray<HoursEntryView>
}

/** Whoever has more has set up one of them. */
const looked = 10

/** The offering of the address, or else the first that can be booked, or the first there is. */
export const loadSetupProgress = (asked: PageContext) =>
  Effect.gen(function*() {
    const { query, run } = asked
    const { data } = yield* run(offeringsList, { limit: looked })
    const named = data.find(({ id }) => id === (query("offering") ?? asked.refused?.form["offering"]))
    let first: Pick<SetupProgress, "offering" | "standing"> | undefined
    for (const offering of named === undefined ? data : [named]) {
      const standing = yield* toBookability(asked, offering)
      first ??= { offering, standing }
      if (standing.is !== "bookable") continue
      first = { offering, standing }
      break
    }
    if (first === undefined) return undefined
    const { data: hours } = yield* run(offeringsGetHours, { id: first.offering.id })
    const begun: SetupProgress = { ...first, hours }
    return begun
  })
