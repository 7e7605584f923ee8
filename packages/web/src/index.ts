/** Trailbook's server-rendered pages. Guest pages work without JavaScript. */
import type { VisitorAccess } from "@trailbook/core/actor"
import type { GuestAccess } from "@trailbook/core/booking"
import type { Registry } from "@trailbook/core/operation"
import type { AnyRoute, ErrorRenderer } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { assetsRoute, makeServiceWorkerRoute } from "./assetsRoute.ts"
import type { GuestAssistantEndpoint } from "./book/assistant.ts"
import { bookRoutes } from "./book/routes.ts"
import { checkInRoutes } from "./guest/checkInRoutes.ts"
import { guestRoutes } from "./guest/routes.ts"
import { liveRoutes } from "./live/SseHub.ts"
import { authorizeRoutes } from "./oauth/authorizeRoutes.ts"
import { oauthRoutes } from "./oauth/oauthRoutes.ts"
import { makeErrorRenderer } from "./pageRenderer.ts"
import { passkeyRoutes } from "./passkey/routes.ts"
import { signInRoutes } from "./signIn/routes.ts"
import * as StaffAuth from "./signIn/StaffAuth.ts"
import * as Site from "./Site.ts"
import { widgetRoutes } from "./widget/routes.ts"

export type { SiteOptions } from "./Site.ts"

export interface GuestPages {
  readonly routes: ReadonlyArray<AnyRoute>
  /** Renders the 404 page. */
  readonly renderNotFound: ErrorRenderer
}

/**
 * Creates the guest pages as routes for the handler in `@trailbook/http`. The rendering code is loaded on the first
 * request. `assistant` handles requests from guests' assistants. Without `assistant`, the booking page has no endpoint
 * for assistants.
 */
export const makeGuestPages = (
  options: Site.SiteOptions,
  assistant?: GuestAssistantEndpoint
): Effect.Effect<GuestPages, never, Registry | VisitorAccess | GuestAccess> =>
  Effect.gen(function*() {
    const site = Site.make(options)
    return {
      routes: [
        assetsRoute,
        // The Book button's script must come before the offering routes, which match any path below `/book/:slug`.
        ...site.isWidget ? yield* widgetRoutes(site) : [],
        ...yield* bookRoutes(site, assistant),
        ...yield* guestRoutes(site),
        ...yield* checkInRoutes(site)
      ],
      renderNotFound: makeErrorRenderer(site)
    }
  })

/**
 * Creates the staff pages (sign-in, dashboard, and OAuth authorization) and the OAuth endpoints for clients. If a host
 * application manages sign-in, `host` authenticates staff members. Staff pages must come before the guest pages. Both
 * groups include the QR code page, but only this group's page recognizes staff members.
 */
export const makeStaffPages = (options: Site.SiteOptions, host?: StaffAuth.HostAuthenticator) =>
  Effect.gen(function*() {
    const site = Site.make(options)
    const who = yield* StaffAuth.make(site, host)
    // Servers without the dashboard never load its pages.
    const { make: makeRouter } = yield* Effect.promise(() => import("./dashboard/router.ts"))
    const dashboard = yield* makeRouter(site, who)
    return [
      // Another process may serve the guest pages, so these routes are also included here.
      assetsRoute,
      makeServiceWorkerRoute(site),
      ...yield* checkInRoutes(site, who),
      // Passkey routes must come before mailed links, which match any other path below `/sign-in`.
      ...yield* passkeyRoutes(site, who, dashboard),
      ...yield* signInRoutes(site, who),
      ...dashboard.routes,
      ...yield* liveRoutes(who),
      ...yield* authorizeRoutes(site, who),
      ...yield* oauthRoutes(site)
    ] as ReadonlyArray<AnyRoute>
  })
