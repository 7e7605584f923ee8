import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Operation from "../../operation/Operation.ts"
import type { OperationHandlers } from "../../operation/Registry.ts"
import { makePaginatedHandler, smallRowPageSize } from "../../port/readInPages.ts"
import { maxPriceCents } from "../../pricing/Pricing.ts"
import * as Field from "../../wire/Field.ts"
import { toPatch } from "../../wire/snakeCase.ts"
import { Ok, ok, page } from "../../wire/View.ts"
import { DiscountStore, DiscountWithUsesView, discountWithUsesView } from "./DiscountCode.ts"
import { Discounts, toDiscountWithUsesPosition } from "./Discounts.ts"

const viewFields = DiscountWithUsesView.fields

const id = Field.withDescription("the discount code", Field.uuid)
const code = Field.sameAs(viewFields.code, Field.discountCode)
const makeDateField = (viewField: Schema.Schema.Any) =>
  Field.optional(Field.sameAs(viewField, Field.nullable(Field.localDate)))

const settings = {
  percent_bps: Field.optional(Field.withDescription("hundredths of a percent", Field.integer(0, 10_000), 1000)),
  cents: Field.describedOptional("a fixed amount", Field.integer(0, maxPriceCents)),
  offering_ids: Field.optional(Field.sameAs(viewFields.offering_ids, Schema.NullOr(Field.list(Field.uuid, 200)))),
  book_from: makeDateField(viewFields.book_from),
  book_until: makeDateField(viewFields.book_until),
  start_from: makeDateField(viewFields.start_from),
  start_until: makeDateField(viewFields.start_until),
  max_uses: Field.optional(Field.sameAs(viewFields.max_uses, Field.nullable(Field.integer(1, 1_000_000)))),
  active: Field.optional(Field.sameAs(viewFields.active, Field.boolean)),
  returns_on_cancel: Field.optional(Field.sameAs(viewFields.returns_on_cancel, Field.boolean))
}

export const discountsList = Operation.make("discounts.list", {
  route: ["GET", "/discounts"],
  summary: "List discount codes with their uses, oldest first.",
  input: Schema.Struct(Field.paging),
  output: page(DiscountWithUsesView),
  tool: {
    title: "List discount codes",
    toolset: "admin",
    description: "Lists discount codes with their uses."
  }
})

export const discountsCreate = Operation.make("discounts.create", {
  route: ["POST", "/discounts"],
  summary: "Create a discount code.",
  description:
    "Set percent_bps or cents. Codes are trimmed and converted to uppercase. Dates are local and inclusive. " +
    "If percent_bps is 0, a code only records the partner who sent the guest. By default, a code is active, and a " +
    "canceled booking no longer counts as a use.",
  input: Schema.Struct({ code, ...settings }),
  output: DiscountWithUsesView,
  exactlyOne: [["percent_bps", "cents"]],
  refusals: ["code_taken"],
  status: 201,
  scope: "admin",
  tool: {
    title: "Create a discount code",
    toolset: "admin",
    description: "Creates a discount code. Dates are local and inclusive."
  }
})

export const discountsUpdate = Operation.make("discounts.update", {
  route: ["PATCH", "/discounts/:id"],
  summary: "Change a discount code.",
  description: "Bookings keep their prices. Setting percent_bps or cents clears the other. " +
    "To disable the code, set active to false.",
  input: Schema.Struct({ id, code: Field.optional(code), ...settings }),
  output: DiscountWithUsesView,
  refusals: ["not_found", "code_taken"],
  scope: "admin",
  hints: { idempotent: true },
  tool: {
    title: "Update a discount code",
    toolset: "admin",
    description: "Changes a discount code. Bookings keep their prices."
  }
})

export const discountsDelete = Operation.make("discounts.delete", {
  route: ["DELETE", "/discounts/:id"],
  summary: "Delete a discount code. Bookings keep their prices.",
  input: Schema.Struct({ id }),
  output: Ok,
  refusals: ["not_found"],
  scope: "admin",
  hints: { destructive: true },
  tool: {
    title: "Delete a discount code",
    toolset: "admin",
    description: "Deletes a discount code. Bookings keep their prices. Cannot be undone."
  }
})

export const discountOperations = [discountsList, discountsCreate, discountsUpdate, discountsDelete] as const

const listPage = makePaginatedHandler("discounts", smallRowPageSize, toDiscountWithUsesPosition, discountWithUsesView)

export const discountHandlers = Effect.gen(function*() {
  const discounts = yield* Discounts
  const store = yield* DiscountStore
  return {
    "discounts.list": (paging, { orgId }) =>
      listPage(paging, (after, limit) => Effect.flatMap(store.list({ orgId, after, limit }), discounts.withUses)),
    "discounts.create": ({ code, ...fields }, { orgId }) =>
      Effect.map(discounts.create(orgId, { code, ...toPatch(fields) }), discountWithUsesView),
    "discounts.update": ({ id, ...fields }, { orgId }) =>
      Effect.map(discounts.update({ orgId, id }, toPatch(fields)), discountWithUsesView),
    "discounts.delete": ({ id }, { orgId }) => Effect.as(discounts.remove({ orgId, id }), ok)
  } satisfies OperationHandlers<typeof discountOperations>
})
