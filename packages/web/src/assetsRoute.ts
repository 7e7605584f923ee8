import { notFound } from "@trailbook/core"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { dashboardSheet, icons, scripts } from "./assets/generated.ts"
import { get } from "./defineRoute.ts"
import type { Site } from "./Site.ts"

/**
 * Serves the dashboard's service worker. The browser checks for a new version whenever a page loads. The scope has no
 * trailing slash, because the Today page's URL has none.
 */
export const makeServiceWorkerRoute = ({ link }: Site): AnyRoute =>
  get({ caller: "anyone" }, "/dashboard/offline.js", "dashboard.offline", () =>
    Effect.succeed({
      status: 200,
      body: scripts.offline.text,
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "no-cache",
        "service-worker-allowed": link("/dashboard")
      }
    }))

const asset = (type: string) => ({ file, text }: { readonly file: string; readonly text: string }) =>
  [file, { text, type }] as const

const byFile = new Map([
  ...Object.values(scripts).map(asset("text/javascript; charset=utf-8")),
  asset("text/css; charset=utf-8")(dashboardSheet),
  asset("image/svg+xml")(icons)
])

/**
 * Serves scripts, styles, and icons. Each name contains a hash of the content, so responses can be cached permanently.
 */
export const assetsRoute: AnyRoute = get({ caller: "anyone" }, "/assets/:file", "page.asset", ({ param }) => {
  const file = param("file")
  // While servers are upgraded one by one, a page may request another version's styles. This server's styles are
  // better than none.
  const entry = byFile.get(file) ?? (file.endsWith(".css") ? byFile.get(dashboardSheet.file) : undefined)
  if (entry === undefined) return notFound("file", file.slice(0, 80))
  return Effect.succeed({
    status: 200,
    body: entry.text,
    headers: {
      "content-type": entry.type,
      "cache-control": byFile.has(file) ? "public, max-age=31536000, immutable" : "no-store",
      // Allow all origins, because a framed page requests modules with its own origin.
      "cross-origin-resource-policy": "cross-origin"
    }
  })
})
