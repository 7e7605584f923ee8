import type { AssistantCallStore } from "@trailbook/core/assistant"
import * as Effect from "effect/Effect"
import type { Journal } from "../Journal.ts"
import { page } from "../page.ts"
import { inGroup } from "../State.ts"

export const assistantCallStore = ({ read, unitOfWork, write }: Journal): AssistantCallStore["Type"] => ({
  add: (rows) => write(() => rows.map((row) => ({ table: "assistantCalls", row }))),
  list: ({ after, callerId, from = -Infinity, limit, operation, orgId, to = Infinity }) =>
    read(({ assistantCalls }) =>
      page(
        inGroup(assistantCalls, `org ${orgId}`)
          .filter((call) => callerId === undefined || call.callerId === callerId)
          .filter((call) => operation === undefined || call.operation === operation)
          .filter(({ at }) => at >= from && at < to),
        ({ at, id }) => ({ at, id }),
        { after, limit, order: "desc" }
      )
    ),
  forget: (before, limit) =>
    unitOfWork.run(Effect.gen(function*() {
      const rows = yield* read(({ assistantCalls }) =>
        inGroup(assistantCalls, "all").filter(({ at }) => at < before).slice(0, limit)
      )
      yield* write(() => rows.map((row) => ({ table: "assistantCalls", row, gone: true })))
      return rows.length
    }))
})
