/**
 * The root of a server, and the root of its API where a browser opens it. For a server of its own: within another
 * program both addresses are that program's.
 */
import { notFound } from "@trailbook/core/Refusal"
import * as AddressLimit from "@trailbook/http/IpRateLimit"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { get } from "../defineRoute.ts"
import { makeRenderError } from "../renderError.ts"
import { makeRenderPages } from "../renderPages.ts"
import * as Site from "../Site.ts"
import { siteRoot } from "../siteRoot.ts"
import type { FrontPageOwner } from "./FrontPage.tsx"

export const frontRoutes = (
  whose: Effect.Effect<FrontPageOwner>,
  options: Site.SiteOptions
): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const { page } = makeRenderPages(site, () => import("./FrontPage.tsx"))
  const all = { caller: "anybody", limits: [AddressLimit.make({ times: 120 })] } as const
  const root = (request: Request) => siteRoot(site, request) ?? ""
  return [
    get(
      { ...all, failed: makeRenderError(site) },
      "/",
      "front.page",
      ({ request }) =>
        Effect.flatMap(
          whose,
          (whose) => page(200, request, ({ frontPage }, shown) => frontPage(shown, root(request), whose))
        )
    ),
    get(all, "/v1", "front.api", ({ request }) =>
      // A program that has mistyped an address is told so as of any other.
      request.headers.get("accept")?.includes("text/html") === true
        ? page(200, request, ({ apiPage }, shown) => apiPage(shown, root(request)))
        : notFound("operation", "/v1"))
  ]
}
