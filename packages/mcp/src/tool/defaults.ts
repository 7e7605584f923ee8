/** Input defaults for assistants: a program reads complete lists, but an assistant reads the first rows. */
import type { Operation } from "@trailbook/core/operation/Operation"
import { eventsList } from "@trailbook/core/org/orgOperations"
import { bookingFields } from "./arguments.ts"
import type { Data } from "./compactResult.ts"
import type { JsonObject } from "./schemas.ts"

/** Default rows of a list. */
export const defaultLimit = 20

export const withDefaults = ({ input: { fields }, name }: Operation.Any, given: Data): Data => ({
  ..."limit" in fields ? { limit: defaultLimit } : {},
  // A reader that follows the feed sets `after`.
  ...(name === eventsList.name && given.after === undefined ? { order: "desc" } : {}),
  ...given
})

/** Returns the overrides of field schemas for assistants. */
export const schemaOverrides = (operation: Operation.Any): Readonly<Record<string, JsonObject>> => ({
  ...Object.fromEntries(
    bookingFields(operation).map((field) => [field, { format: "", description: "the booking: its id or reference" }])
  ),
  limit: { description: `page size; default: ${defaultLimit}`, default: defaultLimit },
  ...(operation.name === eventsList.name
    ? { order: { description: "default: desc (newest first) without after" } }
    : {})
})
