/**
 * The root of a server, and the root of its API where a browser opens it. For a server of its own: within another
 * program both addresses are that program's.
 */
import { notFound } from "@trailbook/core/Refusal"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { failed } from "../failed.ts"
import { lazily } from "../lazily.ts"
import { rootOf } from "../rootOf.ts"
import * as Site from "../Site.ts"
import type { Whose } from "./FrontPage.tsx"

const views = lazily(() => import("./pages.ts"))

/**
 * @category constructors
 */
export const frontRoutes = (whose: Effect.Effect<Whose>, options: Site.SiteOptions): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const all = {
    method: "GET",
    caller: "anybody",
    limits: [AddressLimit.make({ times: 120 })],
    body: none
  } as const
  const root = (request: Request) => rootOf(site, request) ?? ""

  const front: AnyRoute = {
    ...all,
    path: "/",
    name: "front.page",
    failed: failed(site),
    answer: ({ request }) =>
      Effect.gen(function*() {
        const { Document, frontPage, shown } = yield* views.effect
        const page = shown(site, request)
        return Document.reply(200, page, frontPage(page, root(request), yield* whose))
      })
  }

  const api: AnyRoute = {
    ...all,
    path: "/v1",
    name: "front.api",
    answer: ({ request }) =>
      Effect.gen(function*() {
        // A program has mistyped an address, and is told so as of any other.
        if (request.headers.get("accept")?.includes("text/html") !== true) return yield* notFound("operation", "/v1")
        const { Document, apiPage, shown } = yield* views.effect
        const page = shown(site, request)
        return Document.reply(200, page, apiPage(page, root(request)))
      })
  }
  return [front, api]
}
