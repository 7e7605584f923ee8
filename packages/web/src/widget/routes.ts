/**
 * The script that puts a booking page into other pages, and the page that shows how.
 */
import { Visitors } from "@trailbook/core/actor/Visitors"
import { visitPage } from "@trailbook/core/operation/visitOperations"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Caller, Route } from "@trailbook/http/Route"
import * as Turns from "@trailbook/http/Turns"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import { scripts } from "../assets/generated.ts"
import { failed } from "../failed.ts"
import { lazily } from "../lazily.ts"
import type { Site } from "../Site.ts"

type Visiting = Exclude<Caller, "anybody">

const views = lazily(() => import("./pages.ts"))

/**
 * @category constructors
 */
export const widgetRoutes = (site: Site) =>
  Effect.gen(function*() {
    const { at } = yield* Visitors
    const run = yield* ask
    const turns = Turns.make({ each: 2, all: 4 })
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

    const script: AnyRoute = {
      method: "GET",
      path: "/widget.js",
      name: "widget.script",
      caller: "anybody",
      body: none,
      answer: ({ request }) =>
        Effect.succeed(
          request.headers.get("if-none-match")?.includes(tag) === true
            ? { status: 304, body: null, headers }
            : { status: 200, body: text, headers }
        )
    }

    const visitor: Visiting = { scope: "visit", find: ({ param }) => at(param("slug")) }
    const preview: Route<Visiting, undefined> = {
      method: "GET",
      path: "/widget/:slug",
      name: "widget.page",
      caller: visitor,
      limits: [AddressLimit.make({ times: 120 })],
      failed: failed(site),
      body: none,
      answer: ({ actor, request }) =>
        Effect.gen(function*() {
          const { offerings, org } = yield* turns(actor.orgId, run(visitPage, {}))
          const { Document, shownOf, widgetPage } = yield* views.effect
          const shown = shownOf(site, request, org)
          return Document.reply(200, shown, widgetPage(shown, offerings))
        })
    }
    return [script, preview]
  })
