import type { VisitOrgView } from "@trailbook/core/operation/VisitView"
import * as Effect from "effect/Effect"
import { lazily } from "./lazily.ts"
import type { Site } from "./Site.ts"
import type { Page } from "./ui/Document.tsx"
import type { Shown, ShownOf } from "./ui/Shown.ts"

/**
 * Answers with pages, whose views are loaded with the first that is asked for. `page` shows one of the service's own,
 * and `pageOf` one of an outfitter.
 *
 * @category constructors
 */
export const showing = <Views>(site: Site, load: () => Promise<Views>) => {
  const all = lazily(() => Promise.all([load(), import("./ui/Document.tsx"), import("./ui/Shown.ts")])).effect
  return {
    views: Effect.map(all, ([views]) => views),
    page: (status: number, request: Request, view: (views: Views, shown: Shown) => Page) =>
      Effect.map(all, ([views, { reply }, shownTo]) => {
        const shown = shownTo.shown(site, request)
        return reply(status, shown, view(views, shown))
      }),
    pageOf: (status: number, request: Request, org: VisitOrgView, view: (views: Views, shown: ShownOf) => Page) =>
      Effect.map(all, ([views, { reply }, shownTo]) => {
        const shown = shownTo.shownOf(site, request, org)
        return reply(status, shown, view(views, shown))
      })
  }
}
