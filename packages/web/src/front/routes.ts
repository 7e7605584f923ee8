/**
 * The root of a server, and the root of its API where a browser opens it. For a server of its own: within another
 * program both addresses are that program's.
 */
import { notFound } from "@trailbook/core/Refusal"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { failed } from "../failed.ts"
import { get } from "../methods.ts"
import { rootOf } from "../rootOf.ts"
import { showing } from "../showing.ts"
import * as Site from "../Site.ts"
import type { Whose } from "./FrontPage.tsx"

/**
 * @category constructors
 */
export const frontRoutes = (whose: Effect.Effect<Whose>, options: Site.SiteOptions): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const { page } = showing(site, () => import("./FrontPage.tsx"))
  const all = { caller: "anybody", limits: [AddressLimit.make({ times: 120 })] } as const
  const root = (request: Request) => rootOf(site, request) ?? ""
  return [
    get(
      { ...all, failed: failed(site) },
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
