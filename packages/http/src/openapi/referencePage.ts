import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"

/** The reference for people, in parts that browsers cache separately. */
export interface ReferencePage {
  readonly html: string
  readonly css: string
  readonly javascript: string
}

/**
 * Makes the reference page, which needs no other site. Swagger UI comes inside `@effect/platform`, which offers it only
 * as a page with everything in it: 1.5 MB. The parts are cut out of that page. Scalar would come the same way, but calls
 * home.
 */
export const make = async (descriptionPath: string): Promise<ReferencePage> => {
  const { dispose, handler } = HttpLayerRouter.toWebHandler(
    HttpApiSwagger.layerHttpLayerRouter({ api: HttpApi.make("trailbook"), path: "/" }),
    { disableLogger: true }
  )
  const response = await handler(new Request("http://localhost/"))
  const page = await response.text()
  await dispose()
  const css = between(page, "<style>", "</style>")
  const library = between(page, "<script>", "window.onload = ")
  // An address such as /reference#/bookings/bookings.create opens that operation, and opening one gives the address.
  const javascript = `${library}
window.ui = SwaggerUIBundle({
  url: ${JSON.stringify(descriptionPath)},
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  // Its default sends the description to another site.
  validatorUrl: null
})
`
  return { html: await htmlOf({ css, javascript }), css, javascript }
}

/** Addresses are relative to the page, because a host can mount the handler below any path. */
const htmlOf = async ({ css, javascript }: Omit<ReferencePage, "html">): Promise<string> =>
  `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Trailbook API reference</title>
  <link rel="stylesheet" href="reference/ui.css?v=${await versionOf(css)}">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="reference/ui.js?v=${await versionOf(javascript)}"></script>
</body>
</html>
`

/** Changes with the text, so that browsers can cache it forever. */
const versionOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest, 0, 6), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start) + start.length
  const until = text.lastIndexOf(end)
  if (from < start.length || until < from) throw new Error(`Invariant violated: no ${start} in the page of Swagger UI`)
  return text.slice(from, until)
}
