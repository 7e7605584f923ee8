import type { VisitorAccess } from "@trailbook/core/actor/VisitorAccess"
import type { GuestAccess } from "@trailbook/core/booking/GuestAccess"
import type { Registry } from "@trailbook/core/operation/Registry"
import type { AnyRoute, RenderError } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { assets } from "./assets.ts"
import { bookRoutes } from "./book/routes.ts"
import * as Desk from "./dashboard/router.ts"
import { dashboardRoutes } from "./dashboard/routes.ts"
import { guestRoutes } from "./guest/routes.ts"
import { liveRoutes } from "./live/routes.ts"
import { authorizeRoutes } from "./oauth/authorize.ts"
import { endpoints } from "./oauth/endpoints.ts"
import { passkeyRoutes } from "./passkey/routes.ts"
import { makeRenderError } from "./renderError.ts"
import { signInRoutes } from "./signIn/routes.ts"
import * as Who from "./signIn/StaffAuth.ts"
import * as Site from "./Site.ts"
import { widgetRoutes } from "./widget/routes.ts"

export interface Pages {
  readonly routes: ReadonlyArray<AnyRoute>
  /** How a browser is told that there is nothing at an address. */
  readonly lost: RenderError
}

/**
 * The pages that guests see, as routes for the handler of `@trailbook/http`. What renders them is loaded with the first
 * that is asked for.
 */
export const pages = (options: Site.SiteOptions): Effect.Effect<Pages, never, Registry | VisitorAccess | GuestAccess> =>
  Effect.gen(function*() {
    const site = Site.make(options)
    return {
      routes: [
        assets,
        ...yield* bookRoutes(site),
        ...yield* guestRoutes(site),
        ...site.isWidget ? yield* widgetRoutes(site) : []
      ],
      lost: makeRenderError(site)
    }
  })

/**
 * The pages of an outfitter's own people: signing in, and letting assistants in, with what
 * assistants ask for by themselves. `host` says who somebody is, where the program around the
 * service knows.
 */
export const staffPages = (options: Site.SiteOptions, host?: Who.HostSignIn) =>
  Effect.gen(function*() {
    const site = Site.make(options)
    const who = yield* Who.make(site, host)
    const desk = yield* Desk.make(site, who)
    return [
      // Guests' pages may be served elsewhere.
      assets,
      // Before links, which are at any other address below /sign-in.
      ...yield* passkeyRoutes(site, who, desk),
      ...yield* signInRoutes(site, who),
      ...dashboardRoutes(desk),
      ...yield* liveRoutes(who),
      ...yield* authorizeRoutes(site, who),
      ...yield* endpoints(site)
    ] as ReadonlyArray<AnyRoute>
  })
