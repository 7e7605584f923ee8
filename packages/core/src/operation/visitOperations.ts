/**
 * What anybody may do on an outfitter's booking page.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Vacancy } from "../availability/Vacancy.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { Orgs } from "../org/Orgs.ts"
import { means } from "../wire/Field.ts"
import * as PageOperation from "./PageOperation.ts"
import type { Handlers } from "./Registry.ts"
import { VisitListedView, visitListedView, VisitOrgView, visitOrgView } from "./VisitView.ts"

/** The most offerings that a page shows. */
const maxOfferings = 100

export const visitPage = PageOperation.make("visit.page", {
  input: Schema.Struct({}),
  output: Schema.Struct({
    org: VisitOrgView,
    offerings: means("those that can be booked, in the order in which they were made", Schema.Array(VisitListedView))
  }),
  refusals: ["not_found"],
  scope: "visit"
})

export const visitOperations = [visitPage] as const

export const visitHandlers = Effect.gen(function*() {
  const offerings = yield* OfferingStore
  const orgs = yield* Orgs
  const vacancy = yield* Vacancy
  return {
    "visit.page": (_, { orgId }) =>
      Effect.gen(function*() {
        const org = yield* orgs.get(orgId)
        const all = yield* offerings.list({ orgId, kind: undefined, after: undefined, limit: maxOfferings })
        const open = all.filter(({ active }) => active)
        const listed = yield* Effect.forEach(open, (offering) =>
          Effect.map(vacancy.next({ orgId, id: offering.id }), (next) => visitListedView(offering, next)))
        return { org: visitOrgView(org), offerings: listed }
      })
  } satisfies Handlers<typeof visitOperations>
})
