import { toNextHandlers } from "trailbook/next"
import { outfitter } from "../../../lib/outfitter.ts"

/** Everything below /booking: /booking/v1 is the REST API, for callers with an API key. */
export const { DELETE, GET, PATCH, POST, PUT } = toNextHandlers(outfitter)
