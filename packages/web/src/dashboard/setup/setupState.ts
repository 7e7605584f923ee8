/**
 * The setup progress, which is derived from the org's offerings. Progress is not stored separately, so setup can be
 * interrupted and resumed.
 */
import { type HoursEntryView, offeringsGetHours, offeringsList, type OfferingView } from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import { type Bookability, loadBookability } from "../offerings/bookability.tsx"
import type { PageContext } from "../Page.ts"

/** The offering being set up, its bookability, and its weekly hours. */
export interface SetupProgress {
  readonly offering: OfferingView
  readonly bookability: Bookability
  readonly hours: ReadonlyArray<HoursEntryView>
}

/** The maximum number of offerings to examine. An org with more offerings than this has already set one up. */
const maxOfferings = 10

/** Loads the offering specified in the URL, falling back to the first bookable one and then to the first one. */
export const loadSetupProgress = (page: PageContext) =>
  Effect.gen(function*() {
    const { query, run } = page
    const { data } = yield* run(offeringsList, { limit: maxOfferings })
    const requestedOffering = data.find(({ id }) => id === (query("offering") ?? page.rejection?.form["offering"]))
    let first: Pick<SetupProgress, "offering" | "bookability"> | undefined
    for (const offering of requestedOffering === undefined ? data : [requestedOffering]) {
      const bookability = yield* loadBookability(page, offering)
      first ??= { offering, bookability }
      if (bookability.is !== "bookable") continue
      first = { offering, bookability }
      break
    }
    if (first === undefined) return undefined
    const { data: hours } = yield* run(offeringsGetHours, { id: first.offering.id })
    const progress: SetupProgress = { ...first, hours }
    return progress
  })
