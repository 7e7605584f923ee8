import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import type { Audited } from "@trailbook/core/staff/AuditEntry"
import { AuditList } from "@trailbook/core/staff/AuditList"
import * as Effect from "effect/Effect"
import * as NodeIds from "./NodeIds.ts"

/**
 * Lines of the audit list that say that whoever runs the service changed how an org takes money.
 *
 * @category effects
 */
export const operatorNotes = Effect.map(
  AuditList,
  (audit) => (what: Audited) => ({ accountId, id, orgId }: PaymentConnection) =>
    audit.note({ orgId, by: { _tag: "Operator" }, what, subject: id, name: accountId })
).pipe(Effect.provide(AuditList.layer), Effect.provide(NodeIds.layer))
