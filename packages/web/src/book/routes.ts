import { Visitors } from "@trailbook/core/actor/Visitors"
import { visitPage } from "@trailbook/core/operation/visitOperations"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Caller, Route } from "@trailbook/http/Route"
import * as Turns from "@trailbook/http/Turns"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import { failed } from "../failed.ts"
import { lazily } from "../lazily.ts"
import type { Site } from "../Site.ts"

type Visiting = Exclude<Caller, "anybody">

const views = lazily(() => import("./pages.ts"))

/**
 * The booking page of every outfitter, by slug.
 *
 * @category constructors
 */
export const bookRoutes = (site: Site) =>
  Effect.gen(function*() {
    const { at } = yield* Visitors
    const run = yield* ask
    const turns = Turns.make({ each: 2, all: 4 })
    const visitor: Visiting = { scope: "visit", find: ({ param }) => at(param("slug")) }
    const all = { caller: visitor, limits: [AddressLimit.make({ times: 120 })], failed: failed(site) }

    const offerings: Route<Visiting, undefined> = {
      ...all,
      method: "GET",
      path: "/book/:slug",
      name: "book.offerings",
      body: none,
      answer: ({ actor, request }) =>
        Effect.gen(function*() {
          const { offerings, org } = yield* turns(actor.orgId, run(visitPage, {}))
          const { Document, offeringsPage, shownOf } = yield* views.effect
          const shown = shownOf(site, request, org)
          return Document.reply(200, shown, offeringsPage(shown, offerings))
        })
    }
    return [offerings] as ReadonlyArray<AnyRoute>
  })
