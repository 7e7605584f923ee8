import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"

/** The reference page, as separate files that browsers can cache. */
export interface ReferencePage {
  readonly html: string
  readonly css: string
  readonly javascript: string
}

/**
 * Builds a reference page that needs no external resources. `@effect/platform` includes Swagger UI, but only as a
 * single 1.5 MB page, so the files are extracted from it. The package also includes Scalar, which contacts an external
 * server.
 */
export const make = async (descriptionPath: string): Promise<ReferencePage> => {
  const { dispose, handler } = HttpLayerRouter.toWebHandler(
    HttpApiSwagger.layerHttpLayerRouter({ api: HttpApi.make("trailbook"), path: "/" }),
    { disableLogger: true }
  )
  const response = await handler(new Request("http://localhost/"))
  const page = await response.text()
  await dispose()
  const css = extractBetween(page, "<style>", "</style>")
  const library = extractBetween(page, "<script>", "window.onload = ")
  // A URL such as /reference#/bookings/bookings.create opens that operation, and opening an operation updates the URL.
  const javascript = `${library}
window.ui = SwaggerUIBundle({
  url: ${JSON.stringify(descriptionPath)},
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  // By default, Swagger UI sends the document to an external validator.
  validatorUrl: null
})
`
  return { html: await renderHtml({ css, javascript }), css, javascript }
}

/** Returns the HTML. URLs are relative to the page, because a host can mount the handler at any path. */
const renderHtml = async ({ css, javascript }: Omit<ReferencePage, "html">): Promise<string> =>
  `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Trailbook API reference</title>
  <link rel="stylesheet" href="reference/ui.css?v=${await hashText(css)}">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="reference/ui.js?v=${await hashText(javascript)}"></script>
</body>
</html>
`

/** Returns a content hash, so that browsers can cache the file forever. */
const hashText = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest, 0, 6), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

const extractBetween = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start) + start.length
  const until = text.lastIndexOf(end)
  if (from < start.length || until < from) throw new Error(`Invariant violated: no ${start} in the page of Swagger UI`)
  return text.slice(from, until)
}
