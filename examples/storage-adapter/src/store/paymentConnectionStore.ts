import type { PaymentConnection, PaymentConnectionStore } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byId, page } from "../page.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const paymentConnectionStore = (
  { read, unitOfWork, write }: Journal
): PaymentConnectionStore["Type"] => ({
  put: (row) => write(() => [{ table: "paymentConnections", row }]),
  list: (orgId) =>
    read(({ paymentConnections }) =>
      page(inGroup(paymentConnections, `org ${orgId}`), byConnection, { limit: Infinity })
    ),
  findById: (id) =>
    read(({ paymentConnections }) =>
      Option.fromNullable(inGroup(paymentConnections, "all").find((connection) => connection.id === id))
    ),
  claim: ({ before, limit, now }) =>
    unitOfWork.run(Effect.gen(function*() {
      const due = yield* read(({ paymentConnections }) =>
        page(inGroup(paymentConnections, "all").filter(({ lookedAt }) => lookedAt < before), byLook, { limit })
      )
      const rows = due.map((row) => ({ ...row, lookedAt: now }))
      yield* write(() => rows.map((row) => ({ table: "paymentConnections", row })))
      return rows
    })),
  advanceSeenTo: ({ id, orgId }, seenTo) =>
    write(({ paymentConnections }) => {
      const row = get(paymentConnections, within(orgId, id))
      return row === undefined || row.seenTo >= seenTo
        ? []
        : [{ table: "paymentConnections", row: { ...row, seenTo } }]
    }),
  page: (after, limit) =>
    read(({ paymentConnections }) =>
      byId(inGroup(paymentConnections, "all").filter(({ id }) => id > after)).slice(0, limit)
    ),
  reseal: ({ id, orgId, sealedKey, sealedNoticeSecret }, sealedSecrets) =>
    write(({ paymentConnections }) => {
      const row = get(paymentConnections, within(orgId, id))
      return row?.sealedKey === sealedKey && row.sealedNoticeSecret === sealedNoticeSecret
        ? [{ table: "paymentConnections", row: { ...row, ...sealedSecrets } }]
        : []
    })
})

const byConnection = ({ connectedAt: at, id }: PaymentConnection) => ({ at, id })

const byLook = ({ id, lookedAt: at }: PaymentConnection) => ({ at, id })
