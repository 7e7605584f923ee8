/**
 * Serves the OpenAPI document and the reference page without requiring authentication. The document and the page are
 * built and compressed once, on the first request. Each address is limited to 120 requests per minute.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import * as IpRateLimit from "../limit/IpRateLimit.ts"
import type { RequestContext } from "../request/RequestContext.ts"
import { precompressText } from "../response/precompressText.ts"
import type { AnyRoute } from "../Route.ts"
import type { ReferencePage } from "./referencePage.ts"

export const routes = (
  operations: ReadonlyArray<Operation.Any>,
  otherRoutes: ReadonlyArray<AnyRoute>,
  base: string,
  publicUrl: string | undefined
) =>
  Effect.gen(function*() {
    const document = yield* Effect.cached(Effect.promise(async () => {
      const { buildDocument: document } = await import("./buildDocument.ts")
      return document(operations, { base, publicUrl, routes: otherRoutes })
    }))
    const openapi = yield* Effect.cached(
      Effect.flatMap(
        document,
        (document) => Effect.promise(() => precompressText(JSON.stringify(document), documentHeaders))
      )
    )
    const page = yield* Effect.cached(Effect.promise(async () => {
      const { make } = await import("./referencePage.ts")
      return make(`${base.slice(1)}/openapi.json`)
    }))
    const cacheAsset = (text: (page: ReferencePage) => string, headers: Readonly<Record<string, string>>) =>
      Effect.cached(Effect.flatMap(page, (page) => Effect.promise(() => precompressText(text(page), headers))))
    const html = yield* cacheAsset(({ html }) => html, pageHeaders)
    const css = yield* cacheAsset(({ css }) => css, assetHeaders("text/css"))
    const javascript = yield* cacheAsset(({ javascript }) => javascript, assetHeaders("text/javascript"))
    const clock = yield* Effect.clock
    const limit = IpRateLimit.make({ times: 120 })
    const serveAsset = (asset: typeof openapi) => ({ connection, request }: RequestContext) =>
      Effect.suspend(() => {
        const refusal = IpRateLimit.checkIpLimits([limit], connection.remoteAddress, clock.unsafeCurrentTimeMillis())
        return refusal === undefined ? Effect.map(asset, (reply) => reply(request)) : Effect.fail(refusal)
      })
    return [
      [`${base}/openapi.json`, serveAsset(openapi)],
      ["/reference", serveAsset(html)],
      ["/reference/ui.css", serveAsset(css)],
      ["/reference/ui.js", serveAsset(javascript)]
    ] as const
  })

/** Returns the headers for an asset. Asset paths contain a content hash, so browsers can cache assets permanently. */
const assetHeaders = (type: string) => ({
  "content-type": `${type}; charset=utf-8`,
  "cache-control": "public, max-age=31536000, immutable"
})

const documentHeaders = { "content-type": "application/json", "cache-control": "no-cache" }

/** The page can load only its own assets and call only the API that it describes. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer"
}
