/**
 * The script that puts a booking page into other pages, and the page that shows how.
 */
import { Visitors } from "@trailbook/core/actor/Visitors"
import { visitPage } from "@trailbook/core/operation/visitOperations"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import type { Asking } from "@trailbook/http/Route"
import * as Turns from "@trailbook/http/Turns"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import { scripts } from "../assets/generated.ts"
import { failed } from "../failed.ts"
import { get } from "../methods.ts"
import { showing } from "../showing.ts"
import type { Site } from "../Site.ts"

/**
 * @category constructors
 */
export const widgetRoutes = (site: Site) =>
  Effect.gen(function*() {
    const { at } = yield* Visitors
    const run = yield* ask
    const turns = Turns.make({ each: 2, all: 4 })
    const { pageOf } = showing(site, () => import("./WidgetPage.tsx"))
    const { file, text } = scripts.widget
    const tag = `"${file}"`
    const headers = {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      // A module is asked for with the origin of the page that wants it, whichever that is.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      etag: tag
    }
    const visitor = {
      caller: { scope: "visit", find: ({ param }: Asking) => at(param("slug")) },
      limits: [AddressLimit.make({ times: 120 })],
      failed: failed(site)
    } as const
    return [
      get({ caller: "anybody" }, "/widget.js", "widget.script", ({ request }) =>
        Effect.succeed(
          request.headers.get("if-none-match")?.includes(tag) === true
            ? { status: 304, body: null, headers }
            : { status: 200, body: text, headers }
        )),
      get(visitor, "/widget/:slug", "widget.page", ({ actor, request }) =>
        Effect.flatMap(turns(actor.orgId, run(visitPage, {})), ({ offerings, org }) =>
          pageOf(200, request, org, ({ widgetPage }, shown) =>
            widgetPage(shown, offerings))))
    ]
  })
