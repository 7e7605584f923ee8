import { toNextHandlers } from "trailbook/next"
import { outfitter } from "../../../lib/outfitter.ts"

/** Everything under /booking: guests book at /booking/book/salida-river-co, and API clients use /booking/v1. */
export const { DELETE, GET, PATCH, POST, PUT } = toNextHandlers(outfitter)
