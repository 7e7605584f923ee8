import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ClosureStore, ClosureView, closureView, toClosurePosition } from "../../offering/closure/Closure.ts"
import * as Operation from "../../operation/Operation.ts"
import type { OperationHandlers } from "../../operation/Registry.ts"
import { toIdempotentRequest } from "../../operation/toIdempotentRequest.ts"
import { Ids } from "../../port/Ids.ts"
import { makePaginatedHandler, smallRowPageSize } from "../../port/readInPages.ts"
import * as Field from "../../wire/Field.ts"
import { Integer, Ok, ok, page } from "../../wire/View.ts"
import { Closures } from "./Closures.ts"

const viewFields = ClosureView.fields

export const closuresList = Operation.make("closures.list", {
  route: ["GET", "/closures"],
  summary: "List closures by first date.",
  input: Schema.Struct({
    from: Field.describedOptional("only closures that end on or after this local date", Field.localDate),
    ...Field.paging
  }),
  output: page(ClosureView),
  tool: {
    title: "List closures",
    toolset: "bookings",
    description: "Lists closures by first date. A closure with offering_id null closes all offerings."
  }
})

export const closuresCreate = Operation.make("closures.create", {
  route: ["POST", "/closures"],
  summary: "Close dates, or certain times on each date, for one or all offerings.",
  description:
    "New bookings, moves, late confirmations, and late payments are rejected for the closed dates and times. " +
    "Existing bookings and live holds are unaffected, and the response counts them in bookings and guests. The " +
    "booking page shows the reason. A closure covers at most 366 days. A retry with the same idempotency_key " +
    "returns the same closure.",
  input: Schema.Struct({
    from_date: Field.sameAs(viewFields.from_date, Field.localDate),
    to_date: Field.sameAs(viewFields.to_date, Field.localDate),
    start_time: Field.optional(Field.sameAs(viewFields.start_time, Field.nullable(Field.localTime))),
    end_time: Field.optional(Field.sameAs(viewFields.end_time, Field.nullable(Field.localTime))),
    offering_id: Field.optional(Field.sameAs(viewFields.offering_id, Field.nullable(Field.uuid))),
    reason: Field.sameAs(viewFields.reason, Field.text({ min: 1, max: 200 })),
    idempotency_key: Field.idempotencyKey
  }),
  output: Schema.Struct({
    ...viewFields,
    bookings: Field.withDescription("the number of bookings and live holds that start during the closure", Integer, 4),
    guests: Field.withDescription("the number of people or items in these bookings and holds", Integer, 12)
  }).annotations({ identifier: "ClosureWithBookings" }),
  refusals: ["not_found", "idempotency_conflict"],
  status: 201,
  hints: { idempotencyKey: "idempotency_key" },
  tool: {
    title: "Close dates",
    toolset: "catalog",
    description:
      "Closes dates to new bookings. Existing bookings remain, and the result counts them. Ask the outfitter " +
      "whether to cancel them."
  }
})

export const closuresDelete = Operation.make("closures.delete", {
  route: ["DELETE", "/closures/:id"],
  summary: "Delete a closure so that its dates can be booked again.",
  input: Schema.Struct({ id: Field.withDescription("the closure", Field.uuid) }),
  output: Ok,
  refusals: ["not_found"],
  tool: {
    title: "Reopen closed dates",
    toolset: "catalog",
    description: "Deletes a closure so that its dates can be booked again."
  }
})

export const closureOperations = [closuresList, closuresCreate, closuresDelete] as const

const list = makePaginatedHandler("closures", smallRowPageSize, toClosurePosition, closureView)

export const closureHandlers = Effect.gen(function*() {
  const closures = yield* Closures
  const ids = yield* Ids
  const store = yield* ClosureStore
  return {
    "closures.list": ({ from: since, ...paging }, { orgId }) =>
      list(paging, (after, limit) => store.list({ orgId, since, after, limit })),
    "closures.create": (
      {
        end_time: endTime = null,
        from_date: fromDate,
        idempotency_key: key,
        offering_id: offeringId = null,
        reason,
        start_time: startTime = null,
        to_date: toDate
      },
      actor
    ) => {
      const input = { offeringId, fromDate, toDate, startTime, endTime, reason }
      const request = toIdempotentRequest(ids, actor, closuresCreate.name, key, input)
      return Effect.map(
        closures.create({ orgId: actor.orgId, ...input }, request),
        ({ bookings, closure, guests }) => ({ ...closureView(closure), bookings, guests })
      )
    },
    "closures.delete": ({ id }, { orgId }) => Effect.as(closures.remove({ orgId, id }), ok)
  } satisfies OperationHandlers<typeof closureOperations>
})
