import { Failure } from "@trailbook/http/Failure"
import type { Site } from "./Site.ts"

/** Why a form is not taken: a page of another site sent it, with the cookies of whoever looks at that. */
export const checkFormOrigin = (site: Site) => (request: Request): Failure | undefined =>
  site.isForeign(request)
    ? new Failure({ code: "forbidden", message: "Pages of another site may not do this." })
    : undefined
