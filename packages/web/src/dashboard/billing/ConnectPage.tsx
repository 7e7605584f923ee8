import { billingGet } from "@trailbook/core/org/orgOperations"
import { staffConnectPayments, staffPayments } from "@trailbook/core/payment/paymentOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { parseFormErrors } from "../parts/FormErrors.tsx"

/** Connects a payment account. The key must be typed again after an error, because no page renders it. */
export const view: PageView = (asked) =>
  Effect.zipWith(asked.run(staffPayments, {}), asked.run(billingGet, {}), ({ connected }, { plan }) => {
    const { refused } = asked
    const mistakes = parseFormErrors(refused, {
      key: "Secret key",
      account: "Account",
      notice_secret: "Webhook signing secret"
    })
    return {
      title: connected === null ? "Connect an account" : "Change the key or account",
      part: "billing" as const,
      isLive: false,
      body: (
        <Consequence
          asked={asked}
          happens={[
            plan === "free"
              ? "On the Free plan nothing changes for guests. Online payment is part of the Pro plan."
              : "Guests pay when they book. A booking is confirmed once the payment succeeds.",
            "The key is verified with the provider before it is saved. It is stored encrypted and never shown.",
            ...connected === null ? [] : [
              `A new key for account ${connected.account_id} replaces the current key. A key for another account ` +
              "also replaces the account. Refunds of earlier payments still go through the account that received them."
            ]
          ]}
          confirm="Connect"
          isGrave={false}
          back="/dashboard/payments"
          refused={mistakes.news ?? mistakes.fields[0]?.[1]}
        >
          <Field
            name="key"
            label="Secret key"
            hint="From the provider, such as sk_live_… or sk_test_…"
            error={mistakes.of("key")}
            input={{ type: "password", maxLength: 300, autocomplete: "off", spellcheck: false }}
          />
          <Field
            name="account"
            label="Account"
            optional="only with a platform key"
            hint="The connected account, such as acct_…"
            value={refused?.form["account"]}
            error={mistakes.of("account")}
            input={{ maxLength: 100, autocomplete: "off", spellcheck: false }}
          />
          <Field
            name="notice_secret"
            label="Webhook signing secret"
            optional="only if you set the webhook address manually"
            error={mistakes.of("notice_secret")}
            input={{ type: "password", maxLength: 300, autocomplete: "off", spellcheck: false }}
          />
        </Consequence>
      )
    }
  })

/** A provider outage is also reported in the form. */
export const act: FormAction = ({ form, run }) => {
  const { account = "", key = "", notice_secret: secret = "" } = form
  const connected = run(staffConnectPayments, {
    key: key.trim(),
    ...(account.trim() === "" ? {} : { account: account.trim() }),
    ...(secret.trim() === "" ? {} : { notice_secret: secret.trim() })
  })
  return Effect.as(
    Effect.catchIf(connected, ({ kind }) => kind === "unavailable", ({ message }) => invalid(message)),
    withFlash("/dashboard/payments", "paid")
  )
}
