import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as OpenApi from "@effect/platform/OpenApi"
import type { Document } from "./document.ts"

/**
 * The reference as one page that needs no network: Swagger UI comes inside
 * `@effect/platform`, which gives it away only as a route, so the page is asked
 * for once. Scalar would come the same way, but calls home.
 *
 * @category converting
 */
export const referencePage = async (document: Document): Promise<string> => {
  const api = HttpApi.make("trailbook").annotate(OpenApi.Transform, () => ({ ...document }))
  const { dispose, handler } = HttpLayerRouter.toWebHandler(HttpApiSwagger.layerHttpLayerRouter({ api, path: "/" }), {
    disableLogger: true
  })
  const response = await handler(new Request("http://localhost/"))
  const page = await response.text()
  await dispose()
  // An address such as /reference#/bookings/bookings.create opens that operation, and opening one gives the address.
  return page.replace("dom_id: '#swagger-ui',", `$& ${settings}`)
}

const settings = `deepLinking: true, docExpansion: "list", defaultModelsExpandDepth: 0,`
