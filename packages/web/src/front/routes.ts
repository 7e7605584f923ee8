/**
 * The server's root page, and the page for browsers that open the root of its API. Only stand-alone servers have these
 * routes, because in an embedded server both addresses belong to the host application.
 */
import { notFound } from "@trailbook/core"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { get } from "../defineRoute.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import * as Site from "../Site.ts"
import type { FrontPageOwner } from "./FrontPage.tsx"

export const frontRoutes = (
  whose: Effect.Effect<FrontPageOwner>,
  options: Site.SiteOptions
): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const { page } = makePageRenderer(site, () => import("./FrontPage.tsx"))
  const defaults = { caller: "anyone", limits: [IpRateLimit.make({ times: 120 })] } as const
  const root = (request: Request) => Site.getSiteRoot(site, request) ?? ""
  return [
    get(
      { ...defaults, renderError: makeErrorRenderer(site) },
      "/",
      "front.page",
      ({ request }) =>
        Effect.flatMap(
          whose,
          (owner) => page(200, request, ({ frontPage }, context) => frontPage(context, root(request), owner))
        )
    ),
    get(defaults, "/v1", "front.api", ({ request }) =>
      // API clients get the same 404 as for any other unknown path.
      request.headers.get("accept")?.includes("text/html") === true
        ? page(200, request, ({ apiPage }, context) => apiPage(context, root(request)))
        : notFound("operation", "/v1"))
  ]
}
