import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ApiKeyStore } from "../actor/ApiKey.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { GrantStore } from "../oauth/Grant.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import * as Instant from "../time/Instant.ts"
import * as Cursor from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { exampleIds, Id, page, Timestamp } from "../wire/View.ts"
import { AssistantCalls, callerKinds } from "./AssistantCalls.ts"

/** An assistant's tool call, as the API returns it. */
const AssistantCallView = Schema.Struct({
  id: Field.withDescription("its ID", Id, exampleIds.payment),
  at: Field.withDescription("when the call ended", Timestamp),
  application: Field.withDescription(
    "the application that a staff member authorized, or the API key",
    Schema.Struct({
      kind: Field.withDescription("the kind of credential", Schema.Literal(...callerKinds), "application"),
      id: Field.withDescription("the authorization or API key ID", Schema.String, exampleIds.customer),
      name: Field.withDescription("its name", Schema.String, "Claude")
    })
  ),
  operation: Field.withDescription("the operation", Schema.String, "bookings.cancel"),
  outcome: Field.withDescription(
    "`done`, `preview` if the call only returned a preview, or the error code",
    Schema.String,
    "done"
  ),
  booking: Field.withDescription(
    "the booking that the call referenced or created, if any",
    Schema.NullOr(Schema.Struct({
      id: Field.withDescription("its ID", Id, exampleIds.booking),
      reference: Field.withDescription("its reference", Schema.String, "7KQ2MXPD")
    }))
  )
}).annotations({ identifier: "AssistantCall" })

export const assistantsActivity = Operation.make("assistants.activity", {
  route: ["GET", "/assistants/activity"],
  summary: "List assistants' tool calls, newest first.",
  description: "Returns calls from the last 90 days with from <= at < to, without inputs or guest data.",
  input: Schema.Struct({
    application: Field.describedOptional(
      "only calls with this authorization or API key ID",
      Field.text({ min: 1, max: 100 })
    ),
    operation: Field.optional(
      Field.withDescription("only this operation", Field.text({ min: 1, max: 100 }), "bookings.cancel")
    ),
    from: Field.describedOptional("from this time on", Field.instant),
    to: Field.describedOptional("before this time", Field.instant),
    ...Field.paging
  }),
  output: page(AssistantCallView),
  scope: "admin",
  tool: {
    title: "List assistant calls",
    toolset: "admin",
    description: "Lists assistant tool calls with their application, operation, outcome, and booking."
  }
})

export const assistantOperations = [assistantsActivity] as const

export const assistantHandlers = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const calls = yield* AssistantCalls
  const grants = yield* GrantStore
  const keys = yield* ApiKeyStore
  const cursors = Cursor.makeCursors("assistants.activity")

  return {
    "assistants.activity": ({ application, cursor, limit = Cursor.defaultPageSize, ...query }, { orgId }) =>
      Effect.gen(function*() {
        const after = cursor === undefined ? undefined : yield* cursors.read(cursor)
        const rows = yield* calls.list({
          ...toPatch(query),
          callerId: application,
          orgId,
          after,
          limit: limit + 1
        })
        const bookingIds = new Set(rows.flatMap(({ bookingId }) => bookingId ?? []))
        const records = bookingIds.size === 0 ? [] : yield* bookings.find([...bookingIds].map((id) => ({ orgId, id })))
        const references = new Map(records.map(({ booking }) => [booking.id, booking.reference]))
        const callers = rows.length === 0 ? [] : [...yield* grants.list(orgId), ...yield* keys.list(orgId)]
        const names = new Map(callers.map(({ id, name }) => [id, name]))
        return cursors.page(rows, limit, ({ at, bookingId, callerId, callerKind, id, operation, outcome }) => {
          const reference = references.get(bookingId ?? "")
          return {
            id,
            at: Instant.format(at),
            application: { kind: callerKind, id: callerId, name: names.get(callerId) ?? "" },
            operation,
            outcome,
            booking: bookingId === null || reference === undefined ? null : { id: bookingId, reference }
          }
        }, ({ at, id }) => ({ at, id }))
      })
  } satisfies OperationHandlers<typeof assistantOperations>
})
