import { notFound } from "@trailbook/core/Refusal"
import { noBody } from "@trailbook/http/noBody"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { icons, scripts } from "./assets/generated.ts"

const served = (type: string) => ({ file, text }: { readonly file: string; readonly text: string }) =>
  [file, { text, type }] as const

const byFile = new Map([
  ...Object.values(scripts).map(served("text/javascript; charset=utf-8")),
  served("image/svg+xml")(icons)
])

/** Serves scripts, styles, and icons. Each name contains a hash of the content, so responses are cached permanently. */
export const assets: AnyRoute = {
  method: "GET",
  path: "/assets/:file",
  name: "page.asset",
  caller: "anyone",
  body: noBody,
  answer: ({ param }) => {
    const found = byFile.get(param("file"))
    if (found === undefined) return notFound("file", param("file").slice(0, 80))
    return Effect.succeed({
      status: 200,
      body: found.text,
      headers: {
        "content-type": found.type,
        "cache-control": "public, max-age=31536000, immutable",
        // Allow all origins, because a page in a frame requests modules with its own origin.
        "cross-origin-resource-policy": "cross-origin"
      }
    })
  }
}
