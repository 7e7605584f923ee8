/**
 * The description for programs and the one for people. Both are made when they
 * are first asked for, and need no key.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import { compressed } from "../compressed.ts"
import type { Exchange } from "../Exchange.ts"
import type { AnyRoute } from "../Route.ts"

/**
 * @category constructors
 */
export const routes = (
  operations: ReadonlyArray<Operation.Any>,
  others: ReadonlyArray<AnyRoute>,
  base: string,
  publicUrl: string | undefined
) =>
  Effect.gen(function*() {
    const document = yield* Effect.cached(Effect.promise(async () => {
      const { document } = await import("./document.ts")
      return document(operations, { base, publicUrl, routes: others })
    }))
    const openapi = yield* Effect.cached(
      Effect.flatMap(
        document,
        (document) => Effect.promise(() => compressed(JSON.stringify(document), documentHeaders))
      )
    )
    const reference = yield* Effect.cached(
      Effect.flatMap(document, (document) =>
        Effect.promise(async () => {
          const { referencePage } = await import("./referencePage.ts")
          return compressed(await referencePage(document), pageHeaders)
        }))
    )
    const answer = (made: typeof reference) => ({ request }: Exchange) => Effect.map(made, (reply) => reply(request))
    return [[`${base}/openapi.json`, answer(openapi)], ["/reference", answer(reference)]] as const
  })

const documentHeaders = { "content-type": "application/json", "cache-control": "no-cache" }

/** The page holds all it shows. It may call the API it describes and nothing else. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer"
}
