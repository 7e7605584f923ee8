import { billingGet } from "@trailbook/core/org/orgOperations"
import { staffConnectPayments, staffPayments } from "@trailbook/core/payment/paymentOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { parseFormErrors } from "../parts/FormErrors.tsx"

/**
 * What changes with an account, and its key. The key is typed again after a mistake: no page shows it.
 *
 * @category views
 */
export const view: PageView = (asked) =>
  Effect.zipWith(asked.run(staffPayments, {}), asked.run(billingGet, {}), ({ connected }, { plan }) => {
    const { refused } = asked
    const mistakes = parseFormErrors(refused, {
      key: "Secret key",
      account: "Account",
      notice_secret: "Secret of notices"
    })
    return {
      title: connected === null ? "Connect an account" : "New key or another account",
      part: "billing" as const,
      isLive: false,
      body: (
        <Consequence
          asked={asked}
          happens={[
            plan === "free"
              ? "On the free plan nothing changes for guests: they pay online on the pro plan."
              : "Who books something with a price pays first, and is confirmed once the money is there.",
            "The provider is asked whose key it is before anything is stored. The key is kept sealed, and never shown.",
            ...connected === null ? [] : [
              `A key of the account ${connected.account_id} takes the place of the one before. Another account takes the ` +
              "place of this one: refunds of what this one took still go back through it."
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
            hint="At the provider, such as sk_live_… or sk_test_…"
            error={mistakes.of("key")}
            input={{ type: "password", maxLength: 300, autocomplete: "off", spellcheck: false }}
          />
          <Field
            name="account"
            label="Account"
            optional="only with a platform's key"
            hint="The account that it acts for, such as acct_…"
            value={refused?.form["account"]}
            error={mistakes.of("account")}
            input={{ maxLength: 100, autocomplete: "off", spellcheck: false }}
          />
          <Field
            name="notice_secret"
            label="Secret of notices"
            optional="only if you set their address by hand"
            error={mistakes.of("notice_secret")}
            input={{ type: "password", maxLength: 300, autocomplete: "off", spellcheck: false }}
          />
        </Consequence>
      )
    }
  })

/**
 * A provider that does not answer is said in the form, too.
 *
 * @category actions
 */
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
