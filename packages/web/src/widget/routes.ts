/** The scripts for the widget and the Book button, and their setup page. */
import { VisitorAccess } from "@trailbook/core/actor"
import { publicPageGet } from "@trailbook/core/operation"
import * as FairQueue from "@trailbook/http/limit/FairQueue"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import type { UnauthenticatedRequest } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { scripts } from "../assets/generated.ts"
import { get } from "../defineRoute.ts"
import { makeOperationCaller } from "../operationCaller.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import type { Site } from "../Site.ts"

export const widgetRoutes = (site: Site) =>
  Effect.gen(function*() {
    const { findVisitor } = yield* VisitorAccess
    const run = yield* makeOperationCaller
    const turns = FairQueue.make({ each: 2, all: 4 })
    const { pageOf, textOf } = makePageRenderer(site, () => import("./WidgetPage.tsx"))
    const { file, text } = scripts.widget
    const tag = `"${file}"`
    const headers = {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      // Allow all origins, because browsers load a module script with the origin of the embedding page, which can be
      // any site.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      etag: tag
    }
    const visitor = {
      caller: { scope: "visit", find: ({ param }: UnauthenticatedRequest) => findVisitor(param("slug")) },
      limits: [IpRateLimit.make({ times: 120 })],
      renderError: makeErrorRenderer(site)
    } as const
    return [
      get({ caller: "anyone" }, "/widget.js", "widget.script", ({ request }) =>
        Effect.succeed(
          request.headers.get("if-none-match")?.includes(tag) === true
            ? { status: 304, body: null, headers }
            : { status: 200, body: text, headers }
        )),
      get(visitor, "/book/:slug/button.js", "widget.button", ({ actor, request }) =>
        Effect.flatMap(turns(actor.orgId, run(publicPageGet, {})), ({ offerings, org }) =>
          Effect.map(
            textOf(request, org, ({ buildButtonScript: buttonScript }, context) =>
              buttonScript(context, offerings)),
            (body) => {
              const { etag: _, ...otherHeaders } = headers
              // Do not cache the script for long, because prices and text change, and the text depends on the browser's
              // language.
              return {
                status: 200,
                body,
                headers: { ...otherHeaders, "cache-control": "public, max-age=300", vary: "accept-language" }
              }
            }
          ))),
      get(visitor, "/widget/:slug", "widget.page", ({ actor, request }) =>
        Effect.flatMap(turns(actor.orgId, run(publicPageGet, {})), ({ offerings, org }) =>
          pageOf(200, request, org, ({ widgetPage }, context) =>
            widgetPage(context, offerings))))
    ]
  })
