import { Failure } from "@trailbook/http/Failure"
import type { Site } from "./Site.ts"

/**
 * Refuses a form that a page of another site makes a browser send.
 *
 * @category checks
 */
export const foreign = (site: Site) => (request: Request): Failure | undefined =>
  site.isForeign(request)
    ? new Failure({ code: "forbidden", message: "Pages of another site may not do this." })
    : undefined
