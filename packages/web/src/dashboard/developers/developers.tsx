/** Access for programs: API keys, webhooks with their deliveries, and connected applications. */
import { scopes } from "@trailbook/core/actor/Actor"
import { staffCreateKey, staffKeys, staffRevokeKey } from "@trailbook/core/actor/keyOperations"
import { eventTypes } from "@trailbook/core/event/eventTypes"
import { staffReplayWebhook, staffTestWebhook } from "@trailbook/core/operation/maintenanceOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { notFound } from "@trailbook/core/Refusal"
import type { KeyView } from "@trailbook/core/staff/KeyView"
import { staffApplications } from "@trailbook/core/staff/staffOperations"
import * as Instant from "@trailbook/core/time/Instant"
import { staffWebhook } from "@trailbook/core/webhook/deliveryOperations"
import { webhooksCreate, webhooksDelete, webhooksList } from "@trailbook/core/webhook/webhookOperations"
import type { WebhookView } from "@trailbook/core/webhook/WebhookView"
import * as Effect from "effect/Effect"
import { siteRoot } from "../../siteRoot.ts"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import {
  ActionButton,
  Button,
  Card,
  Check,
  Empty,
  Facts,
  Link,
  Pager,
  Scroll,
  Secret,
  Table
} from "../kit/elements.tsx"
import { form, formPage } from "../kit/form.tsx"
import { confirmPage, page } from "../kit/page.tsx"
import { usePage } from "../Page.ts"
import { makeForm } from "../parts/FormErrors.tsx"
import { momentText } from "../parts/moments.ts"
import { faultText } from "./faultText.ts"

const access = "staff"

const guide = "https://github.com/trailbook/trailbook/blob/main/docs/how-to/receive-webhooks.md"

const Actions = () => <span class="sr">Actions</span>

export const developers = page("/developers", {
  access,
  *view({ run, site }) {
    const { data: keys } = yield* run(staffKeys, {})
    const { data: webhooks } = yield* run(webhooksList, {})
    const { data: applications } = yield* run(staffApplications, {})
    return {
      title: "Developers",
      lead: "API keys, webhooks, and connected applications.",
      actions: (
        <>
          <a class="btn" href={site.link("/reference")}>API reference</a>
          <Button icon="plus" look="main" to="/developers/keys/new">Create key</Button>
        </>
      ),
      body: (
        <div class="stack">
          <Keys keys={keys} />
          <Webhooks webhooks={webhooks} />
          <Applications applications={applications} />
        </div>
      )
    }
  }
})

/** Active keys, followed by revoked and expired keys. */
const Keys = ({ keys }: { readonly keys: ReadonlyArray<KeyView> }) => {
  const { clock: { now } } = usePage()
  const isOpen = ({ expires_at, revoked_at }: KeyView) =>
    revoked_at === null && (expires_at === null || (Instant.parse(expires_at) ?? now) > now)
  const over = keys.filter((key) => !isOpen(key))
  return (
    <Card id="keys" title="API keys">
      {over.length === keys.length
        ? <Empty>No API keys. Create one key per application so that you can revoke it separately.</Empty>
        : <KeyTable keys={keys.filter(isOpen)} label="Active keys" isOpen />}
      {over.length > 0 && (
        <details class="over">
          <summary class="pad soft small">Expired and revoked keys ({over.length})</summary>
          <KeyTable keys={over} label="Expired and revoked keys" isOpen={false} />
        </details>
      )}
    </Card>
  )
}

const KeyTable = ({ isOpen, keys, label }: {
  readonly keys: ReadonlyArray<KeyView>
  readonly label: string
  readonly isOpen: boolean
}) => {
  const { format } = usePage()
  return (
    <Table
      label={label}
      heads={["Name", "Key", "Scopes", ["short", "Last used"], isOpen ? [undefined, <Actions />] : "Ended"]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row" class="cell" dir="auto">{key.name}</th>
          <td class="short">
            <code>{keyHint(key)}</code>
          </td>
          <td>
            {key.scopes.join(", ")}
            {isOpen && key.expires_at !== null && <p class="soft small">until {format.longDay(key.expires_at)}</p>}
          </td>
          <td class={key.last_used_at === null ? "soft" : undefined}>
            {key.last_used_at === null ? "never" : format.longDay(key.last_used_at)}
          </td>
          <td class={isOpen ? "r" : undefined}>
            {isOpen
              ? (
                <Button look="bad" to={`/developers/keys/${key.id}/revoke`} aria-label={`Revoke: ${key.name}`}>
                  Revoke
                </Button>
              )
              : key.revoked_at === null
              ? key.expires_at !== null && `ended ${format.longDay(key.expires_at)}`
              : `revoked ${format.longDay(key.revoked_at)}`}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Identifies a key without disclosing it. */
const keyHint = ({ last4, mode }: KeyView): string => `tb_${mode}_…${last4}`

/** Webhooks with the result of the last delivery. */
const Webhooks = ({ webhooks }: { readonly webhooks: ReadonlyArray<WebhookView> }) => (
  <Card
    id="webhooks"
    title="Webhooks"
    headerEnd={<Button look="end" to="/developers/webhooks/new">Add webhook</Button>}
  >
    {webhooks.length === 0
      ? <Empty>No webhooks. Add one to send events to your application.</Empty>
      : (
        <Table label="Endpoints" heads={["Endpoint", "Events", "Last delivery"]}>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row" class="cell broad">
                <Link class="mono" to={`/developers/webhooks/${webhook.id}`}>{webhook.url}</Link>
              </th>
              <td class="short">{eventWords(webhook.events)}</td>
              <td class="short">
                <LastDelivery webhook={webhook} />
              </td>
            </tr>
          ))}
        </Table>
      )}
  </Card>
)

/** Short text for the event types: `all`, the single type, or their number. */
const eventWords = (events: ReadonlyArray<string>): string => {
  if (events.includes("*")) return "all"
  const [only] = events
  return events.length === 1 && only !== undefined ? only : `${events.length} types`
}

const LastDelivery = (
  { webhook: { last_attempt_at: at, last_error: fault, last_status: status } }: { readonly webhook: WebhookView }
) => {
  const { format } = usePage()
  if (at === null || status === null) return <span class="soft">nothing sent yet</span>
  const when = momentText(format, at)
  return fault === null
    ? <span class="tag ok">{`${status} · ${when}`}</span>
    : <span class="tag bad">{`${faultText(fault, status).short} · ${when}`}</span>
}

/** Short list of authorized OAuth clients. They are managed on a separate page. */
const Applications = (
  { applications }: { readonly applications: Operation.Output<typeof staffApplications>["data"] }
) => {
  const { format } = usePage()
  return (
    <Card
      id="applications"
      title="Connected applications"
      headerEnd={<Button look="end" to="/applications">Connect or disconnect</Button>}
    >
      {applications.length === 0 && (
        <Empty>No applications connected. Assistants request access, and an owner approves it.</Empty>
      )}
      <ul class="rows">
        {applications.map(({ client_id, id, last_used_at, name, scopes }) => (
          <li key={id}>
            <div class="grow">
              <b dir="auto">{name === "" ? client_id : name}</b>
              <p class="soft small">
                {scopes.join(", ")} ·{" "}
                {last_used_at === null ? "never used" : `last used on ${format.longDay(last_used_at)}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const scopeHints = {
  read: ["Read", "Offerings, availability, bookings, guests, and messages."],
  write: ["Write", "Create, move, and cancel bookings, change offerings, and message guests."],
  admin: ["Admin", "Settings, webhooks, and the data export."]
} as const

export const newKey = formPage(
  "/developers/keys/new",
  form(staffCreateKey, {
    name: { label: "Name", hint: "The application that uses the key, such as “Website”." },
    scopes: {
      label: "Permissions",
      item: "scope",
      options: scopes.map((scope) => [scope, ...scopeHints[scope]] as const)
    },
    expires_at: {
      label: "Expires after",
      name: "expires",
      options: [["", "until it is revoked"], ["30", "30 days"], ["90", "90 days"], ["365", "a year"]]
    }
  }),
  {
    access,
    view() {
      return {
        title: "Create a key",
        lead: "Create one key per application, so that you can see when it was used and revoke it separately.",
        class: "card pad stack narrow",
        values: { scopes: ["read", "write"] },
        button: "Create key",
        back: "/developers"
      }
    },
    /** Creates the key and shows it once. */
    *submit({ clock: { now }, request, run, site }, { expires_at: days, ...input }) {
      const expires = Instant.addMinutes(now, Number(days) * 24 * 60)
      const { api_key: key, name } = yield* run(staffCreateKey, {
        ...input,
        ...(["30", "90", "365"].includes(days ?? "") ? { expires_at: Instant.format(expires) } : {})
      })
      const root = siteRoot(site, request) ?? ""
      return {
        title: `Key for ${name}`,
        body: (
          <div class="stack narrow">
            <Secret label="Your key" secret={key}>
              Copy this key now. You will not see it again, because only a hash is stored. Anyone with the key can use
              it, so store it with your application's secrets and never in a web page.
            </Secret>
            <Card id="use" title="How to use it" pad="stack">
              <p>Send the key with each request:</p>
              <Scroll label="A request">
                <pre><code dir="ltr">{`export TRAILBOOK_KEY=${key.slice(0, 8)}…\ncurl -H "Authorization: Bearer $TRAILBOOK_KEY" ${root}/v1/offerings`}</code></pre>
              </Scroll>
              <p class="acts">
                <a class="btn" href={site.link("/reference")}>API reference</a>
                <Button look="main" to="/developers">I have copied it</Button>
              </p>
            </Card>
          </div>
        )
      }
    }
  }
)

export const revokeKey = confirmPage("/developers/keys/:id/revoke", {
  access,
  *view({ format, id, run }) {
    const { data } = yield* run(staffKeys, {})
    const key = data.find((one) => one.id === id)
    if (key === undefined) return yield* notFound("API key", id.slice(0, 40))
    const used = key.last_used_at
    return {
      title: `Revoke ${key.name}?`,
      lead: <code>{keyHint(key)}</code>,
      isLive: true,
      happens: [
        "Requests with this key are rejected immediately.",
        used === null
          ? "It has never been used."
          : `It was last used on ${format.longDay(used)}, at ${format.time(used)} (${format.zone(used)}).`,
        "This cannot be undone. The application will need a new key."
      ],
      button: "Revoke key",
      back: "/developers"
    }
  },
  submit: ({ id, run }) => Effect.as(run(staffRevokeKey, { id }), withFlash("/dashboard/developers", "revoked"))
})

export const newWebhook = formPage(
  "/developers/webhooks/new",
  form(webhooksCreate, {
    url: {
      label: "Address",
      hint: "An https:// address that is reachable from the internet.",
      placeholder: "https://"
    },
    events: { label: "Events", isOwn: true }
  }),
  {
    access,
    view() {
      return {
        title: "Add a webhook",
        lead: "Your application receives each event within seconds, in order.",
        class: "card pad stack narrow",
        own: { all: "on" },
        children: (fields, { error, typed }) => (
          <>
            {fields("url")}
            <fieldset id="events" tabIndex={-1}>
              <legend class="label">Events</legend>
              {error("events") !== undefined && <p class="bad small">{error("events")}</p>}
              <Check
                name="all"
                label="All of them"
                hint="Includes event types added later. The selection below is ignored."
                checked={typed["all"] === "on"}
              />
              <div class="fields events">
                {eventTypes.map((type) => (
                  <Check key={type} name={`event_${type}`} label={type} checked={typed[`event_${type}`] === "on"} />
                ))}
              </div>
            </fieldset>
          </>
        ),
        button: "Add webhook",
        back: "/developers"
      }
    },
    /** Creates the webhook and shows its secret once. */
    *submit({ form, run }, input) {
      const events = form["all"] === "on" ? ["*"] : eventTypes.filter((type) => form[`event_${type}`] === "on")
      const { id, secret, url } = yield* run(webhooksCreate, { ...input, events })
      return {
        title: "Webhook added",
        lead: <code>{url}</code>,
        body: (
          <div class="stack narrow">
            <Secret label="Signing secret" secret={secret}>
              Copy this secret now. You will not see it again. Your application uses it to verify that an event is from
              Trailbook. If you lose it, delete the webhook and add it again.
            </Secret>
            <p class="acts">
              <a class="btn" href={guide}>How to verify signatures</a>
              <Button look="main" to={`/developers/webhooks/${id}`}>Send a test</Button>
            </p>
          </div>
        )
      }
    }
  }
)

/** A webhook with its deliveries, its pending events, and the error that stopped it. */
export const webhook = page("/developers/webhooks/:id", {
  access,
  *view({ format, id, query, run }) {
    const before = Number(query("before"))
    const found = yield* run(staffWebhook, { id, ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}) })
    const { stopped, waiting, webhook } = found
    const { last_attempt_at: at, last_error: fault, last_status: status } = webhook
    const path = `/developers/webhooks/${webhook.id}` as const
    return {
      title: "Webhook",
      lead: <code>{webhook.url}</code>,
      actions: (
        <>
          <ActionButton icon="send" to={`${path}/test`}>Send a test</ActionButton>
          <Button to={`${path}/replay`}>Send again</Button>
          <Button look="bad" to={`${path}/delete`}>Delete</Button>
        </>
      ),
      body: (
        <div class="stack">
          {stopped && fault !== null && at !== null && (
            <div class="note wrong">
              <p>
                <b>Stopped on {format.day(at)} at {format.time(at)}.</b> {faultText(fault, status ?? 0).long}
              </p>
              <p>Delivery is retried every 5 minutes and with each new event, and continues from this event.</p>
            </div>
          )}
          <Card id="state" title="State">
            <Facts
              of={{
                Events: webhook.events.includes("*") ? "all" : webhook.events.join(", "),
                Waiting: waiting >= 100 ? "100 or more" : waiting === 0 ? "nothing" : format.number(waiting),
                Added: format.longDay(webhook.created_at)
              }}
            />
          </Card>
          <Deliveries found={found} isFirst={query("before") === undefined} />
        </div>
      )
    }
  }
})

/** Deliveries of a webhook, newest first. */
const Deliveries = ({ found: { data, next_before: next, webhook }, isFirst }: {
  readonly found: Operation.Output<typeof staffWebhook>
  readonly isFirst: boolean
}) => {
  const { format, site } = usePage()
  const path = `/developers/webhooks/${webhook.id}` as const
  const why = webhook.last_error === null ? "failed" : faultText(webhook.last_error, webhook.last_status ?? 0).short
  return (
    <Card id="log" title="Deliveries">
      {data.length === 0
        ? (
          <Empty>
            {isFirst ? "No events since this webhook was added." : "No matching events in this period."}
          </Empty>
        )
        : (
          <Table
            label="Delivery log"
            heads={[["r", "Event"], "What", "Happened", "State", [undefined, <Actions />]]}
          >
            {data.map(({ created_at, event_id, state, type }) => (
              <tr key={event_id}>
                <td class="r num">{event_id}</td>
                <td class="short">
                  <code>{type}</code>
                </td>
                <td class="short">{momentText(format, created_at)}</td>
                <td>
                  {state === "taken"
                    ? <span class="tag ok">taken</span>
                    : state === "waiting"
                    ? <span class="tag">waiting</span>
                    : <span class="tag bad">{why}</span>}
                </td>
                <td class="r short">
                  <Link to={`${path}/replay?from=${event_id}`}>
                    Redeliver from here<span class="sr">: event {event_id}</span>
                  </Link>
                </td>
              </tr>
            ))}
          </Table>
        )}
      <Pager
        back={!isFirst && ["Newest", site.link(`/dashboard${path}`)]}
        more={next !== null && ["Earlier", site.link(`/dashboard${path}?before=${next}`)]}
      />
    </Card>
  )
}

/** Sends a `webhook.test` event immediately and shows the response. */
export const testWebhook = page("/developers/webhooks/:id/test", {
  access,
  *submit({ id, run }) {
    const { error, ok, status } = yield* run(staffTestWebhook, { id })
    return {
      title: ok ? "Test event delivered" : "Test event failed",
      body: (
        <div class="stack narrow">
          {error === null
            ? <p class="note done">{`The response status was ${status}.`}</p>
            : <p class="note wrong">{faultText(error, status).long}</p>}
          <p class="soft">
            The test event has the type <code>webhook.test</code>{" "}
            and the ID 0. It is signed like all events and does not affect pending events.
          </p>
          <p class="acts">
            <Button look="main" to={`/developers/webhooks/${id}`}>Back to webhook</Button>
          </p>
        </div>
      )
    }
  }
})

/** Redelivers events, starting with a given event. */
export const replayWebhook = confirmPage("/developers/webhooks/:id/replay", {
  access,
  *view({ id, query, refused, run }) {
    const { data, webhook } = yield* run(staffWebhook, { id })
    const { field, mistakes } = makeForm(refused, { from: "From event" }, { from: query("from") ?? "" })
    return {
      title: "Redeliver events?",
      lead: <code>{webhook.url}</code>,
      happens: [
        "All events from this one to the newest are sent again now, oldest first, including events that were already delivered.",
        "Events keep their IDs, so your application can skip those it has already processed.",
        "New events are delivered after them."
      ],
      refused: mistakes.news ?? mistakes.of("from"),
      children: (
        <Field
          {...field("from")}
          hint={data[0] === undefined ? undefined : `The newest is ${data[0].event_id}.`}
          input={{ inputMode: "numeric", pattern: "[0-9]+", maxLength: 16, autocomplete: "off" }}
        />
      ),
      button: "Redeliver events",
      isGrave: false,
      back: `/developers/webhooks/${webhook.id}`
    }
  },
  submit: ({ form, id, run }) =>
    Effect.as(
      run(staffReplayWebhook, { id, from: Number(form["from"]) }),
      withFlash(`/dashboard/developers/webhooks/${id}`, "replayed")
    )
})

export const deleteWebhook = confirmPage("/developers/webhooks/:id/delete", {
  access,
  *view({ id, run }) {
    const { waiting, webhook } = yield* run(staffWebhook, { id })
    const pending = waiting >= 100 ? "100 or more events" : waiting === 1 ? "1 event" : `${waiting} events`
    return {
      title: "Delete this webhook?",
      lead: <code>{webhook.url}</code>,
      isLive: true,
      happens: [
        "No more events are sent to this address.",
        waiting === 0
          ? "All events so far were delivered."
          : `${pending} that it has not received yet will not be sent. The event log keeps all events.`,
        "Its signing secret is deleted. If you add the address again, it gets a new secret."
      ],
      button: "Delete the webhook",
      back: `/developers/webhooks/${webhook.id}`
    }
  },
  submit: ({ id, run }) =>
    Effect.as(ignoreNotFound(run(webhooksDelete, { id })), withFlash("/dashboard/developers", "unhooked"))
})
