import type { Org } from "@trailbook/core/org/Org"
import {
  type PaymentConnection,
  PaymentConnections,
  PaymentConnectionStore,
  paymentConnectionView,
  Reconciliation
} from "@trailbook/core/payment"
import { type AuditAction, AuditLog } from "@trailbook/core/staff"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { accountsLayer } from "@trailbook/runtime/accountsLayer"
import { storageLayer } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { buildDomainServices, connectedAccountsLayer } from "@trailbook/server/buildDomainServices"
import { runProgram } from "@trailbook/server/runProgram"
import {
  type EncryptionKeySettings,
  loadEncryptionKeys,
  requireEncryptionKeys
} from "@trailbook/server/secrets/loadEncryptionKeys"
import type { CommandName } from "@trailbook/server/setting/Setting"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { requireDatabaseFile, withDatabase } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const connect: CommandRunner<"payments connect"> = async (
  { json, noticeSecret, noticesUrl, paymentAccount, paymentKey, ...settings }
) => {
  // Stripe sends webhooks only to public https URLs.
  const isOpen = noticesUrl?.startsWith("https://") ?? false
  const connection = await changePaymentAccount(
    "payments connect",
    settings,
    "payments.connected",
    (accounts, { id: orgId }, recordChange) =>
      Effect.mapError(
        accounts.connect({
          orgId,
          key: paymentKey,
          account: paymentAccount ?? null,
          notices: noticeSecret !== undefined
            ? { secret: noticeSecret }
            : isOpen
            ? { to: (id) => `${noticesUrl}/pay/stripe/${id}` }
            : null,
          recordChange
        }),
        ({ message }) => new OperatorError(message)
      )
  )
  if (json) Print.json(paymentConnectionView(connection))
  else {
    const real = connection.mode === "live" ? "" : " This is a test key: no real money moves."
    Print.line(`Connected to ${connection.name} (${connection.accountId}).${real}`)
    if (connection.sealedNoticeSecret === null) {
      Print.note(
        "No webhook endpoint was created, so Trailbook detects payments only through reconciliation, within 10 minutes. " +
          "To receive webhooks, set --public-url to an https URL."
      )
    } else if (noticeSecret !== undefined) {
      Print.note(`The webhook endpoint for Stripe is /pay/stripe/${connection.id}.`)
    }
    Print.note("Online payment requires the pro plan.")
  }
}

export const disconnect: CommandRunner<"payments disconnect"> = async ({ json, ...settings }) => {
  const connection = await changePaymentAccount(
    "payments disconnect",
    settings,
    "payments.disconnected",
    (accounts, { id, name }, recordChange) =>
      Effect.mapError(
        accounts.disconnect(id, recordChange),
        () => new OperatorError(`${name} has no connected payment account.`)
      )
  )
  if (json) Print.json(paymentConnectionView(connection))
  else {
    Print.line(`Disconnected ${connection.name} (${connection.accountId}).`)
    Print.note(
      "Trailbook keeps the account's key for pending refunds. Do not revoke it in Stripe while refunds are pending."
    )
  }
}

export const status: CommandRunner<"payments status"> = async ({ database, json, org }) => {
  const connections = await withDatabase(database, accountsLayer, function*() {
    const { id } = yield* findOrgOrDefault(org)
    return yield* (yield* PaymentConnectionStore).list(id)
  })
  if (json) Print.json({ data: connections.map(paymentConnectionView) })
  else if (connections.length === 0) {
    Print.note("No payment accounts. To connect an account, run trailbook payments connect.")
  } else {
    Print.table(connections, {
      ACCOUNT: ({ accountId, provider }) => `${provider} ${accountId}`,
      NAME: ({ name }) => name,
      MODE: ({ mode }) => mode,
      WEBHOOKS: ({ sealedNoticeSecret }) => sealedNoticeSecret === null ? "no" : "yes",
      "RECONCILED TO": ({ seenTo }) => Print.formatMinute(seenTo),
      STATE: ({ disconnectedAt }) =>
        disconnectedAt === null ? "active" : `disconnected ${Print.formatMinute(disconnectedAt)}`
    })
    Print.note("To list failed refunds, run trailbook tasks list.")
  }
}

export const reconcile: CommandRunner<"payments reconcile"> = async (
  { json, org, reconciledDays, secretsKeys, ...rest }
) => {
  const settings = { database: requireDatabaseFile(rest.database), secretsKeys, webhookAllow: undefined }
  requireEncryptionKeys("payments reconcile", settings)
  const results = await runProgram(Effect.scoped(
    Effect.gen(function*() {
      const domain = yield* buildDomainServices(settings)
      return yield* Effect.gen(function*() {
        const { id } = yield* findOrgOrDefault(org)
        const { reconcileAccount } = yield* Reconciliation
        const connections = yield* (yield* PaymentConnectionStore).list(id)
        const since = Instant.addMinutes(yield* currentTime, -reconciledDays * 24 * 60)
        return yield* Effect.forEach(
          connections,
          (connection) =>
            Effect.mapError(reconcileAccount(connection, since), ({ message }) => new OperatorError(message))
        )
      }).pipe(Effect.provide(domain))
    })
  ))
  const sum = (count: "happened" | "news" | "failed") => results.reduce((all, result) => all + result[count], 0)
  const [totalCount, newCount, failedCount] = [sum("happened"), sum("news"), sum("failed")]
  if (json) Print.json({ accounts: results.length, happened: totalCount, news: newCount, failed: failedCount })
  else {
    Print.line(
      `Found ${totalCount} payments and refunds from the last ${reconciledDays} days in ${results.length} accounts. Applied ${newCount} that were missing.`
    )
    if (failedCount > 0) {
      Print.note(`${failedCount} payments or refunds could not be processed. A worker will retry them.`)
    }
  }
  return failedCount === 0 ? 0 : 1
}

/** Changes an org's payment account and records the change in the org's audit log, with the operator as the actor. */
const changePaymentAccount = (
  command: CommandName & `payments ${string}`,
  { org: slugOrId, ...rest }: EncryptionKeySettings & { readonly org: string | undefined },
  what: AuditAction,
  change: (
    accounts: PaymentConnections["Type"],
    org: Org,
    recordChange: (connection: PaymentConnection) => Effect.Effect<void>
  ) => Effect.Effect<PaymentConnection, OperatorError>
): Promise<PaymentConnection> => {
  const settings = { ...rest, database: requireDatabaseFile(rest.database) }
  requireEncryptionKeys(command, settings)
  return runProgram(
    Effect.gen(function*() {
      const org = yield* findOrgOrDefault(slugOrId)
      const { addAndNotify } = yield* AuditLog
      const recordChange = ({ accountId, id, orgId }: PaymentConnection) =>
        addAndNotify({ orgId, by: { _tag: "Operator" }, what, subject: id, name: accountId })
      const accounts = connectedAccountsLayer(KeyRing.layer(yield* loadEncryptionKeys(settings)))
      return yield* Effect.flatMap(PaymentConnections, (connections) => change(connections, org, recordChange)).pipe(
        Effect.provide(accounts)
      )
    }).pipe(
      Effect.provide(Layer.provide(AuditLog.layer, NodeIds.layer)),
      Effect.provide(Layer.orDie(storageLayer(settings.database)))
    )
  )
}
