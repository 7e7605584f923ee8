/** Operations that let owners connect and disconnect the org's payment account. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import * as PageOperation from "../operation/PageOperation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { PublicUrl } from "../port/PublicUrl.ts"
import { invalid, unavailable } from "../Refusal.ts"
import { type AuditAction, AuditLog, toAuditActor } from "../staff/AuditLog.ts"
import * as Field from "../wire/Field.ts"
import {
  type PaymentConnection,
  PaymentConnectionStore,
  PaymentConnectionView,
  paymentConnectionView
} from "./PaymentConnection.ts"
import { PaymentConnections } from "./PaymentConnections.ts"
import type { PaymentsFailed } from "./PaymentProvider.ts"

const makeOperation = PageOperation.makePageOperations("staff")
const secretField = Field.text({ min: 1, max: 300 })

export const staffPayments = makeOperation("staff.payments", {
  input: Schema.Struct({}),
  output: Schema.Struct({
    can_connect: Field.withDescription(
      "whether outfitters can connect their own payment accounts to this server",
      Schema.Boolean
    ),
    connected: Field.withDescription("the connected account, or null", Schema.NullOr(PaymentConnectionView)),
    data: Field.withDescription("all connections, oldest first", Schema.Array(PaymentConnectionView))
  })
})

export const staffConnectPayments = makeOperation("staff.connectPayments", {
  input: Schema.Struct({
    key: Field.withDescription("the account's secret key, stored encrypted and never returned", secretField),
    account: Field.describedOptional(
      "the connected account, if the key is a platform key",
      Field.text({ min: 1, max: 100 })
    ),
    notice_secret: Field.describedOptional(
      "the webhook's signing secret, if it was set up manually at the provider",
      secretField
    )
  }),
  output: PaymentConnectionView,
  refusals: ["not_found"]
})

export const staffDisconnectPayments = makeOperation("staff.disconnectPayments", {
  input: Schema.Struct({}),
  output: PaymentConnectionView,
  refusals: ["not_found"]
})

export const paymentOperations = [staffPayments, staffConnectPayments, staffDisconnectPayments] as const

export const paymentHandlers = Effect.gen(function*() {
  const store = yield* PaymentConnectionStore
  const publicUrl = yield* PublicUrl
  const audit = yield* AuditLog
  const auditChange = (actor: Actor["Type"], what: AuditAction) => ({ accountId, id, orgId }: PaymentConnection) =>
    audit.addAndNotify({ orgId, by: toAuditActor(actor), what, subject: id, name: accountId })
  // The service is optional, because a deployment can run without a payment provider.
  const connections = Option.getOrUndefined(yield* Effect.serviceOption(PaymentConnections))
  return {
    "staff.payments": (_, { orgId }) =>
      Effect.map(store.list(orgId), (connectionRows) => {
        const data = connectionRows.map(paymentConnectionView)
        return {
          can_connect: connections !== undefined,
          connected: data.find((one) => one.disconnected_at === null) ?? null,
          data
        }
      }),
    "staff.connectPayments": ({ account = null, key, notice_secret: noticeSecret }, actor) =>
      connections === undefined ? noProvider : connections.connect({
        orgId: actor.orgId,
        key,
        account,
        notices: noticeSecret !== undefined
          ? { secret: noticeSecret }
          // Providers send webhooks only to public HTTPS URLs.
          : publicUrl.startsWith("https://")
          ? { to: (id) => `${publicUrl}/pay/${connections.provider}/${id}` }
          : null,
        recordChange: auditChange(actor, "payments.connected")
      }).pipe(Effect.catchTag("PaymentsFailed", toRefusal), Effect.map(paymentConnectionView)),
    "staff.disconnectPayments": (_, actor) =>
      connections === undefined ? noProvider : Effect.map(
        connections.disconnect(actor.orgId, auditChange(actor, "payments.disconnected")),
        paymentConnectionView
      )
  } satisfies OperationHandlers<typeof paymentOperations>
})

const noProvider = invalid("key: this server does not support outfitters' own payment accounts")

const toRefusal = ({ message, reason }: PaymentsFailed) =>
  Effect.fail(reason === undefined ? unavailable(message) : invalid(`key: ${message}`))
