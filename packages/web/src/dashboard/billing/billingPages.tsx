/** An org's plan and money: usage, export, payment account, and failed tasks. */
import { invalid, notFound } from "@trailbook/core"
import { dashboardUnreachedWithin } from "@trailbook/core/booking"
import { type OrgExportView, staffRetryTask, staffTasks } from "@trailbook/core/operation"
import { billingGet } from "@trailbook/core/org"
import { staffConnectPayments, staffDisconnectPayments, staffPayments } from "@trailbook/core/payment"
import { webhooksList } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../operationCaller.ts"
import { UnreachedGuests } from "../departures/departureParts.tsx"
import { describeDeliveryFault } from "../developers/webhooks.tsx"
import { Button, Card, CursorPager, EmptyNote, FactList, Field, Icon, Link, LinkList } from "../kit/elements.tsx"
import { confirmPage, page, redirectTo } from "../kit/page.tsx"
import { toDaySpan } from "../parts/dateTimes.ts"
import { parseFormErrors } from "../parts/FormErrors.tsx"
import { FailedTaskList, isPaymentTask } from "./FailedTaskList.tsx"

const access = "staff"

/** The plan and this month's usage. */
export const billingPage = page("/billing", {
  *view({ format, isOwner, now, run }) {
    const { plan, usage: { cap, pct, used } } = yield* run(billingGet, {})
    const month = format.month(`${now.slice(0, 7)}-01`)
    const isFree = plan === "free"
    return {
      title: "Billing",
      lead: "Your plan and this month's usage.",
      body: (
        <div class="stack">
          <Card id="plan" title={isFree ? "Free plan" : "Pro plan"} pad="stack">
            <div class="stack tight">
              <p id="usage">
                <b class="num">{format.number(used)}</b> {isFree
                  ? `of ${format.number(cap)} confirmed bookings in ${month}`
                  : `confirmed ${used === 1 ? "booking" : "bookings"} in ${month}. There is no limit.`}
              </p>
              {isFree && <progress class="meter wide" aria-labelledby="usage" value={Math.min(used, cap)} max={cap} />}
              {isFree && pct >= 100 && (
                <p class="note">You have reached your plan's monthly booking limit. Guests can still book.</p>
              )}
            </div>
            <div class="stack tight soft small">
              <p>
                Confirmed bookings count toward the month in which they were made. Expired holds and canceled bookings
                do not count. Months are in UTC.
              </p>
              <p>
                {isFree
                  ? "On the Free plan, bookings are confirmed without online payment. The server operator can change the plan."
                  : "On the Pro plan, guests pay online if a payment account is connected. The server operator can change the plan."}
              </p>
            </div>
          </Card>
          {isOwner && (
            <Card id="more" title="Money and data">
              <LinkList
                of={[
                  ["/payments", "Payments", "The account that receives guests' payments."],
                  [
                    "/tasks",
                    "Failed jobs",
                    "Emails, refunds, and webhooks that failed, and guests who could not be reached."
                  ],
                  ["/export", "Export", "All your data in one file."]
                ]}
              />
            </Card>
          )}
        </div>
      )
    }
  }
})

/** Exports all of the org's data as a file. The response to the form is a download. */
export const exportPage = page("/export", {
  access,
  view({ site }) {
    return {
      title: "Export",
      lead: "All your current data in one JSON file.",
      isLive: false,
      body: (
        <section class="card narrow" aria-labelledby="contents">
          <header>
            <h2 id="contents">Contents</h2>
          </header>
          <div class="pad stack">
            <ul class="stack tight">
              {Object.entries(exportTexts).map(([name, text]) => (
                <li key={name}>
                  <code>{name}</code> <span class="soft">{text}</span>
                </li>
              ))}
            </ul>
            <p>
              The file contains no secrets: no API keys, signing secrets, or payment accounts. Message files are listed
              by name and must be downloaded separately.
            </p>
            <p class="note">
              The file contains the names, email addresses, and messages of all guests. Store it safely.
            </p>
            <form class="stack" method="post" action={site.link("/dashboard/export")}>
              <p class="hint">
                The download takes at most 2 minutes. Only one export can run at a time. If your browser reports an
                interrupted download, the file is incomplete. Download it again.
              </p>
              <p class="acts">
                <button class="btn main">
                  <Icon name="download" />
                  Download
                </button>
                <Button to="/billing">Go back</Button>
              </p>
            </form>
          </div>
        </section>
      )
    }
  }
})

const exportTexts: { readonly [Name in Exclude<keyof typeof OrgExportView.Type, "version" | "exported_at">]: string } =
  {
    org: "name, time zone, currency, and all other settings",
    offerings: "your activities",
    hours: "opening hours",
    closures: "closed dates",
    discounts: "discount codes",
    sessions: "scheduled departures",
    customers: "guests, including notes",
    bookings: "all bookings, including canceled ones",
    payments: "payments and refunds, online and at the desk",
    conversations: "inbox threads",
    messages: "messages and notes",
    saved_replies: "saved replies",
    automations: "settings for each automation",
    proposals: "proposals and their results",
    webhooks: "webhooks, without secrets",
    events: "the newest 1,000 events"
  }

const guideUrl = "https://github.com/trailbook/trailbook/blob/main/docs/how-to/take-payments.md"

/** The connected payment account and its failed tasks. */
export const paymentsPage = page("/payments", {
  access,
  *view({ format, org, run }) {
    const { can_connect, connected, data } = yield* run(staffPayments, {})
    const { data: tasks } = yield* run(staffTasks, { limit: 100 })
    const moneyTasks = tasks.filter(({ kind }) => isPaymentTask(kind))
    const previousConnections = data.filter(({ disconnected_at }) => disconnected_at !== null)
    return {
      title: "Payments",
      lead: "The account that receives guests' payments.",
      actions: <a class="btn" href={guideUrl}>How to take payments</a>,
      body: (
        <div class="stack">
          <Card
            id="account"
            title={connected === null ? "No account connected" : connected.name || connected.account_id}
            headerEnd={connected !== null && (
              <span class={connected.mode === "live" ? "tag ok" : "tag warn"}>
                {connected.mode === "live" ? "live mode: real payments" : "test mode: no real payments"}
              </span>
            )}
          >
            {connected === null
              ? (
                <EmptyNote>
                  {can_connect
                    ? "Bookings are confirmed without payment. Connect your payment account so that guests pay when they book."
                    : "Online payments are not enabled on this server. The server operator can enable them."}
                </EmptyNote>
              )
              : (
                <FactList
                  of={{
                    Provider: connected.provider,
                    Account: <code>{connected.account_id}</code>,
                    Connected: format.longDay(connected.connected_at),
                    "Synced until": `${format.longDay(connected.seen_to)}, ${format.time(connected.seen_to)} ${
                      format.zone(connected.seen_to)
                    }`,
                    Webhooks: connected.notices
                      ? "Payments are reported immediately."
                      : "None. Payments are checked every 10 minutes and when a hold expires."
                  }}
                />
              )}
            {can_connect && (
              <p class="pad acts">
                {connected === null
                  ? <Button look="main" to="/payments/connect">Connect an account</Button>
                  : (
                    <>
                      <Button to="/payments/connect">Change key or account</Button>
                      <Button look="bad" to="/payments/disconnect">Disconnect</Button>
                    </>
                  )}
              </p>
            )}
          </Card>
          <Card id="problems" title="Recent problems">
            {moneyTasks.length === 0
              ? <EmptyNote>No problems. Refunds and checkouts that keep failing appear here.</EmptyNote>
              : <FailedTaskList tasks={moneyTasks} />}
          </Card>
          {previousConnections.length > 0 && (
            <Card id="before" title="Previous accounts">
              <ul class="rows">
                {previousConnections.map(({ account_id, disconnected_at, id, name, provider }) => (
                  <li key={id}>
                    <div class="grow">
                      <b dir="auto">{name || account_id}</b>
                      <p class="soft small">
                        {`${provider} · disconnected on ${
                          format.longDay(disconnected_at ?? "")
                        } · refunds of earlier payments still go through this account`}
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          <p class="soft small">
            {`Prices are in ${org.currency.toUpperCase()}. The account must accept this currency.`}
          </p>
        </div>
      )
    }
  }
})

/** Connects a payment account. After an error, the owner must type the key again, because no page ever renders it. */
export const connectPaymentsPage = confirmPage("/payments/connect", {
  access,
  *view({ rejection, run }) {
    const { connected } = yield* run(staffPayments, {})
    const { plan } = yield* run(billingGet, {})
    const formErrors = parseFormErrors(rejection, {
      key: "Secret key",
      account: "Account",
      notice_secret: "Webhook signing secret"
    })
    return {
      title: connected === null ? "Connect an account" : "Change key or account",
      happens: [
        plan === "free"
          ? "Nothing changes for guests while you are on the Free plan. Online payment requires the Pro plan."
          : "Guests pay when they book. A booking is confirmed once the payment succeeds.",
        "The key is verified with the provider before it is saved. It is stored encrypted and never shown.",
        ...connected === null ? [] : [
          `A new key for account ${connected.account_id} replaces the current key. A key for another account ` +
          "also replaces the account. Refunds of earlier payments still go through the account that received them."
        ]
      ],
      button: "Connect account",
      isGrave: false,
      back: "/payments",
      refused: formErrors.generalError ?? formErrors.fields[0]?.[1],
      children: (
        <>
          <Field
            name="key"
            label="Secret key"
            hint="From the provider, such as sk_live_… or sk_test_…"
            error={formErrors.of("key")}
            input={{ type: "password", maxLength: 300, autocomplete: "off", spellcheck: false }}
          />
          <Field
            name="account"
            label="Account"
            optional="only with a platform key"
            hint="The connected account, such as acct_…"
            value={rejection?.form["account"]}
            error={formErrors.of("account")}
            input={{ maxLength: 100, autocomplete: "off", spellcheck: false }}
          />
          <Field
            name="notice_secret"
            label="Webhook signing secret"
            optional="only if you created the webhook manually"
            error={formErrors.of("notice_secret")}
            input={{ type: "password", maxLength: 300, autocomplete: "off", spellcheck: false }}
          />
        </>
      )
    }
  },
  /** Connects the account. If the provider is unavailable, the form shows the error. */
  submit({ form, run }) {
    const { account = "", key = "", notice_secret: secret = "" } = form
    const connection = run(staffConnectPayments, {
      key: key.trim(),
      ...(account.trim() === "" ? {} : { account: account.trim() }),
      ...(secret.trim() === "" ? {} : { notice_secret: secret.trim() })
    })
    return Effect.as(
      Effect.catchIf(connection, ({ kind }) => kind === "unavailable", ({ message }) => invalid(message)),
      redirectTo("/payments", "paid")
    )
  }
})

export const disconnectPaymentsPage = confirmPage("/payments/disconnect", {
  access,
  *view({ org, run }) {
    const { connected } = yield* run(staffPayments, {})
    if (connected === null) return yield* notFound("payment connection for org", org.id)
    return {
      title: `Disconnect ${connected.name || connected.account_id}?`,
      isLive: true,
      happens: [
        "New bookings are confirmed without payment.",
        "Guests who are already at checkout can still pay until their hold expires. Their bookings are then " +
        "confirmed within 10 minutes.",
        "Refunds of earlier payments still go through this account. Its key is kept encrypted for this purpose.",
        "You can reconnect the account at any time."
      ],
      button: "Disconnect account",
      back: "/payments"
    }
  },
  submit: ({ run }) => Effect.as(ignoreNotFound(run(staffDisconnectPayments, {})), redirectTo("/payments", "unpaid"))
})

/** The number of days, including today, for which unreached guests are listed. */
const unreachedDays = 90

/**
 * Failed tasks and unreached guests. A bounced email leaves no failed task, so the guests are read from the messages.
 */
export const failedTasksPage = page("/tasks", {
  access,
  *view({ clock: { today, zone }, format, now, query, run }) {
    const cursor = query("cursor")
    const { data, next_cursor: next } = yield* run(staffTasks, { cursor })
    const webhooks = yield* run(webhooksList, {})
    const span = { from: now, to: toDaySpan(zone, today, unreachedDays).to }
    const { data: guests } = yield* run(dashboardUnreachedWithin, span)
    const failingWebhooks = webhooks.data.filter(({ last_error }) => last_error !== null)
    return {
      title: "Failed jobs",
      lead: "Jobs that failed permanently, and jobs that have been failing for a day and are still being retried.",
      body: (
        <div class="stack">
          {guests.length > 0 && <UnreachedGuests guests={guests} hasTrip />}
          <Card id="tasks" title="Email, refunds, and checkouts">
            {data.length === 0
              ? <EmptyNote>{cursor === undefined ? "No failed jobs." : "No more failed jobs."}</EmptyNote>
              : <FailedTaskList tasks={data} />}
            <CursorPager next={next} />
            {data.length > 0 && (
              <p class="pad soft small">Failed jobs are kept for 30 days. Refunds are retried until they succeed.</p>
            )}
          </Card>
          <Card id="webhooks" title="Webhooks">
            {failingWebhooks.length === 0 && <EmptyNote>All webhooks are working.</EmptyNote>}
            <ul class="rows">
              {failingWebhooks.map(({ id, last_attempt_at: at, last_error, last_status, url }) => (
                <li key={id}>
                  <div class="grow">
                    <Link to={`/developers/webhooks/${id}`}>
                      <code>{url}</code>
                    </Link>
                    {last_error !== null && <p>{describeDeliveryFault(last_error, last_status ?? 0).long}</p>}
                    {at !== null && (
                      <p class="soft small">
                        {`last attempt on ${format.day(at)} at ${format.time(at)} · retried every 5 minutes`}
                      </p>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )
    }
  }
})

export const retryTaskPage = page("/tasks/:id/retry", {
  access,
  /** If the task no longer exists, it has already completed. */
  submit: ({ id, run }) => Effect.as(ignoreNotFound(run(staffRetryTask, { id })), redirectTo("/tasks", "retried"))
})
