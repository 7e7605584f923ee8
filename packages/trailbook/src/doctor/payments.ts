import { connectionPlace, type PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import { PaymentProvider } from "@trailbook/core/payment/PaymentProvider"
import { Secrets } from "@trailbook/core/port/Secrets"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { KeySettings } from "../secrets/loadKeys.ts"
import { fault, type Finding, makePassed } from "./Finding.ts"
import { loadKeyRing } from "./secrets.ts"

/**
 * Whether the keys of connected payment accounts open, of disconnected ones too, through
 * which money may have to go back; and, only if asked to, whether the provider knows them.
 * Nothing where no account was ever connected.
 */
export const payments = (
  settings: KeySettings & { readonly askPayments: boolean }
): Effect.Effect<ReadonlyArray<Finding>, never, PaymentConnectionStore | PaymentProvider> =>
  Effect.gen(function*() {
    const all = yield* Effect.flatMap(PaymentConnectionStore, ({ page }) => page("", many))
    if (all.length === 0) return []
    const found = loadKeyRing(settings)
    if (found === undefined) return [fault(check, `${all.length} keys of accounts, and nothing that opens them`, lost)]
    if ("check" in found) return []
    const faults = yield* Effect.forEach(all, (connection) => examined(connection, settings.askPayments)).pipe(
      Effect.provide(KeyRing.layer(found)),
      Effect.map((each) => each.flat())
    )
    if (faults.length > shown) {
      return [...faults.slice(0, shown), fault(check, `${faults.length - shown} more accounts have a fault`, otherwise)]
    }
    return faults.length > 0 ? faults : [makePassed(check, summary(all, settings.askPayments))]
  })

const examined = (connection: PaymentConnection, isAsked: boolean) =>
  Effect.gen(function*() {
    const { account, accountId, disconnectedAt, name, sealedKey, sealedNoticeSecret } = connection
    const key = yield* opened(connection, "key", sealedKey)
    const noticeSecret = sealedNoticeSecret === null
      ? Option.some(null)
      : yield* opened(connection, "notices", sealedNoticeSecret)
    if (Option.isNone(key)) return [fault(check, `the key of ${name} (${accountId}) does not open`, lost)]
    if (Option.isNone(noticeSecret)) {
      return [fault(check, `the notice secret of ${name} (${accountId}) does not open`, lost)]
    }
    if (!isAsked || disconnectedAt !== null) return []
    const provider = yield* PaymentProvider
    const access = { key: key.value, noticeSecret: noticeSecret.value, account }
    const asked = yield* Effect.either(Effect.timeoutOption(provider.account(access), "20 seconds"))
    if (asked._tag === "Left") return [fault(check, `${name} (${accountId}): ${asked.left.message}`, otherwise)]
    if (Option.isNone(asked.right)) return [fault(check, `${name} (${accountId}): no answer in 20 seconds`, otherwise)]
    const { id } = asked.right.value
    return id === accountId ? [] : [fault(check, `the key of ${accountId} opens another account, ${id}`, otherwise)]
  })

const opened = (connection: PaymentConnection, which: "key" | "notices", sealed: string) =>
  Effect.flatMap(Secrets, ({ open }) => open(sealed, connectionPlace(connection, which))).pipe(
    Effect.map(Option.some),
    Effect.catchAllDefect(() => Effect.succeedNone)
  )

const summary = (all: ReadonlyArray<PaymentConnection>, isAsked: boolean): string => {
  const used = all.filter(({ disconnectedAt }) => disconnectedAt === null)
  const tests = used.filter(({ mode }) => mode === "test").length
  const unwatched = used.filter(({ sealedNoticeSecret }) => sealedNoticeSecret === null).length
  return `${used.length} in use, ${all.length - used.length} disconnected; all open` +
    (isAsked ? ", and their provider knows them" : "") +
    (tests === 0 ? "" : `; ${tests} with a test key`) +
    (unwatched === 0 ? "" : `; ${unwatched} without notices`)
}

const check = "payments"
const many = 100_000
const shown = 5

const lost =
  "Add the key that sealed it to TRAILBOOK_SECRETS_KEYS, behind the first one, or the key file to its place " +
  "beside the database; or connect the account anew: trailbook payments connect"
const otherwise = "Let this machine connect to the provider, or connect the account with a key that is valid: " +
  "trailbook payments connect"
