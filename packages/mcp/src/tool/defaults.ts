/** Input defaults for assistants. A program reads entire lists, but an assistant reads only the first rows. */
import type { Operation } from "@trailbook/core/operation/Operation"
import { eventsList } from "@trailbook/core/org"
import { maxPageSize } from "@trailbook/core/wire"
import { listBookingIdFields } from "./arguments.ts"
import type { UnknownRecord } from "./compactResult.ts"
import type { JsonObject } from "./schemas.ts"

/** The default number of rows in a list. */
export const defaultLimit = 20

/**
 * The maximum number of rows in a list. A client continues with the cursor. The text and the data of 500 rows with
 * metadata take 200 ms to build, during which the server answers no other request.
 */
export const maxRows = 100

export const withDefaults = ({ input: { fields }, name }: Operation.Any, input: UnknownRecord): UnknownRecord => ({
  ..."limit" in fields ? { limit: defaultLimit } : {},
  // A client that follows the feed sets `after` and needs the oldest events first.
  ...(name === eventsList.name && input.after === undefined ? { order: "desc" } : {}),
  ...input,
  // A larger limit is invalid. The operation refuses it.
  ...(typeof input.limit === "number" && input.limit <= maxPageSize ? { limit: Math.min(input.limit, maxRows) } : {})
})

/** Returns the field schemas that are overridden for assistants. */
export const buildSchemaOverrides = (operation: Operation.Any): Readonly<Record<string, JsonObject | null>> => ({
  ...Object.fromEntries(
    listBookingIdFields(operation).map((field) => [field, { format: "", description: "the booking ID or reference" }])
  ),
  limit: { description: `page size; default: ${defaultLimit}`, default: defaultLimit, maximum: maxRows },
  ...(operation.name === eventsList.name
    ? { order: { description: "default: desc (newest first) without after" } }
    : {}),
  ...shortSchemas
})

// Shortened schemas. The full schemas for these fields would take up a tenth of the tool list.
const shortSchemas: Readonly<Record<string, JsonObject | null>> = {
  pricing: {
    type: ["object", "null"],
    description: "{rates: [{id, name, price_cents, places, max?, needs_any_of?: [rate ids]}], extras?: [{id, name, " +
      "price_cents, per: place|booking, each_period?, required?, max?}], min_places?}; null: one rate at price_cents"
  },
  fees: {
    type: "array",
    items: { type: "object" },
    description: "all fees, in order: [{id, name, percent_bps with per: order_value, or cents with per: " +
      "booking|place, included?, tax?, compound?, on?: all|rates|extras, offering_ids?}]"
  },
  hours: {
    type: "array",
    items: { type: "object" },
    description: "[{weekday or date, start_time: HH:MM, end_time, valid_from?, valid_until?}]"
  },
  info: { type: "object", description: "{bring, requirements, min_age|null, waiver_url|null}" },
  photos: { type: "array", items: { type: "object" }, description: "in order: [{id, alt}]" },
  // Omit these settings, because assistants rarely change them.
  cancellation_policy: null,
  staff_may_refund: null,
  party: { type: "array", items: { type: "object" }, description: "[{rate_id, quantity}], instead of quantity" },
  extras: { type: "array", items: { type: "object" }, description: "[{extra_id, quantity}]" },
  adjustments: { type: "array", items: { type: "object" }, description: "[{name, cents}] after the fees" },
  discount_code: { type: "string", description: "code" },
  expected_total_cents: { type: "integer", description: "refuse another total" },
  metadata: { type: "object", description: "custom JSON" }
}
