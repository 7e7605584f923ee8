/** Webhooks: the list, a webhook with its deliveries, and the pages to add, test, replay, and delete a webhook. */
import { eventTypes } from "@trailbook/core/event"
import { staffReplayWebhook, staffTestWebhook } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import {
  type DeliveryFault,
  staffWebhook,
  webhooksCreate,
  webhooksDelete,
  type WebhookView
} from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../operationCaller.ts"
import {
  ActionButton,
  Button,
  Card,
  Checkbox,
  EmptyNote,
  FactList,
  Field,
  FieldGroup,
  Link,
  Pager,
  SecretField,
  Table
} from "../kit/elements.tsx"
import { formPage } from "../kit/operationForm.tsx"
import { confirmPage, page, redirectTo, usePage } from "../kit/page.tsx"
import { makeFormState } from "../parts/FormErrors.tsx"

const access = "staff"

const guideUrl = "https://github.com/trailbook/trailbook/blob/main/docs/how-to/receive-webhooks.md"

/** The webhooks, each with the result of its last delivery. */
export const WebhookList = ({ webhooks }: { readonly webhooks: ReadonlyArray<WebhookView> }) => (
  <Card
    id="webhooks"
    title="Webhooks"
    headerEnd={<Button look="end" to="/developers/webhooks/new">Add webhook</Button>}
  >
    {webhooks.length === 0
      ? <EmptyNote>No webhooks. Add one to send events to your application.</EmptyNote>
      : (
        <Table label="Endpoints" heads={["Endpoint", "Events", "Last delivery"]}>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row" class="cell broad">
                <Link class="mono" to={`/developers/webhooks/${webhook.id}`}>{webhook.url}</Link>
              </th>
              <td class="short">{eventsText(webhook.events)}</td>
              <td class="short">
                <LastDelivery webhook={webhook} />
              </td>
            </tr>
          ))}
        </Table>
      )}
  </Card>
)

/** Summarizes the event types: `all`, the single type, or the number of types. */
const eventsText = (events: ReadonlyArray<string>): string => {
  if (events.includes("*")) return "all"
  const [onlyEvent] = events
  return events.length === 1 && onlyEvent !== undefined ? onlyEvent : `${events.length} types`
}

const LastDelivery = (
  { webhook: { last_attempt_at: at, last_error: fault, last_status: status } }: { readonly webhook: WebhookView }
) => {
  const { format } = usePage()
  if (at === null || status === null) return <span class="soft">no deliveries yet</span>
  const time = format.moment(at)
  return fault === null
    ? <span class="tag ok">{`${status} · ${time}`}</span>
    : <span class="tag bad">{`${describeDeliveryFault(fault, status).short} · ${time}`}</span>
}

export const newWebhookPage = formPage("/developers/webhooks/new", webhooksCreate, {
  fields: {
    url: {
      label: "Address",
      hint: "An https:// address that is reachable from the internet.",
      placeholder: "https://"
    },
    events: { label: "Events", isOwn: true }
  },
  access,
  view() {
    return {
      title: "Add a webhook",
      lead: "Your application receives each event within seconds, in order.",
      class: "card pad stack narrow",
      own: { all: "on" },
      children: (fields, { error, typedValues }) => (
        <>
          {fields("url")}
          <FieldGroup id="events" label="Events" error={error("events")}>
            <Checkbox
              name="all"
              label="All events"
              hint="Includes event types added later. The selection below is ignored."
              checked={typedValues["all"] === "on"}
            />
            <div class="fields events">
              {eventTypes.map((type) => (
                <Checkbox
                  key={type}
                  name={`event_${type}`}
                  label={type}
                  checked={typedValues[`event_${type}`] === "on"}
                />
              ))}
            </div>
          </FieldGroup>
        </>
      ),
      button: "Add webhook",
      back: "/developers"
    }
  },
  /** Creates a webhook and shows its secret once. */
  *submit({ form, run }, input) {
    const events = form["all"] === "on" ? ["*"] : eventTypes.filter((type) => form[`event_${type}`] === "on")
    const { id, secret, url } = yield* run(webhooksCreate, { ...input, events })
    return {
      title: "Webhook added",
      lead: <code>{url}</code>,
      body: (
        <div class="stack narrow">
          <SecretField label="Signing secret" secret={secret}>
            Copy this secret now. You will not see it again. Your application uses it to verify that an event is from
            Trailbook. If you lose it, delete the webhook and add it again.
          </SecretField>
          <p class="acts">
            <a class="btn" href={guideUrl}>How to verify signatures</a>
            <Button look="main" to={`/developers/webhooks/${id}`}>Send test event</Button>
          </p>
        </div>
      )
    }
  }
})

/** A webhook with its deliveries, its pending events, and the error that stopped it. */
export const webhookPage = page("/developers/webhooks/:id", {
  access,
  *view({ format, id, query, run }) {
    const before = Number(query("before"))
    const details = yield* run(staffWebhook, {
      id,
      before: Number.isSafeInteger(before) && before > 0 ? before : undefined
    })
    const { stopped, waiting, webhook } = details
    const { last_attempt_at: at, last_error: fault, last_status: status } = webhook
    const path = `/developers/webhooks/${webhook.id}` as const
    return {
      title: "Webhook",
      lead: <code>{webhook.url}</code>,
      actions: (
        <>
          <ActionButton icon="send" to={`${path}/test`}>Send test event</ActionButton>
          <Button to={`${path}/replay`}>Redeliver events</Button>
          <Button look="bad" to={`${path}/delete`}>Delete</Button>
        </>
      ),
      body: (
        <div class="stack">
          {stopped && fault !== null && at !== null && (
            <div class="note wrong">
              <p>
                <b>Stopped on {format.day(at)} at {format.time(at)}.</b>{" "}
                {describeDeliveryFault(fault, status ?? 0).long}
              </p>
              <p>Delivery is retried every 5 minutes and with each new event. It resumes with the event that failed.</p>
            </div>
          )}
          <Card id="state" title="Status">
            <FactList
              of={{
                Events: webhook.events.includes("*") ? "all" : webhook.events.join(", "),
                Pending: waiting >= 100 ? "100 or more" : waiting === 0 ? "none" : format.number(waiting),
                Added: format.longDay(webhook.created_at)
              }}
            />
          </Card>
          <Deliveries details={details} isFirst={query("before") === undefined} />
        </div>
      )
    }
  }
})

/** A webhook's deliveries, newest first. */
const Deliveries = ({ details: { data, next_before: next, webhook }, isFirst }: {
  readonly details: Operation.Output<typeof staffWebhook>
  readonly isFirst: boolean
}) => {
  const { format, site } = usePage()
  const path = `/developers/webhooks/${webhook.id}` as const
  const failureText = webhook.last_error === null
    ? "failed"
    : describeDeliveryFault(webhook.last_error, webhook.last_status ?? 0).short
  return (
    <Card id="log" title="Deliveries">
      {data.length === 0
        ? (
          <EmptyNote>
            {isFirst ? "No events since this webhook was added." : "No matching events in this period."}
          </EmptyNote>
        )
        : (
          <Table
            label="Delivery log"
            heads={[["r", "Event"], "Type", "Time", "Status", [undefined, <span class="sr">Actions</span>]]}
          >
            {data.map(({ created_at, event_id, state, type }) => (
              <tr key={event_id}>
                <td class="r num">{event_id}</td>
                <td class="short">
                  <code>{type}</code>
                </td>
                <td class="short">{format.moment(created_at)}</td>
                <td>
                  {state === "taken"
                    ? <span class="tag ok">delivered</span>
                    : state === "waiting"
                    ? <span class="tag">pending</span>
                    : <span class="tag bad">{failureText}</span>}
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
export const testWebhookPage = page("/developers/webhooks/:id/test", {
  access,
  *submit({ id, run }) {
    const { error, ok, status } = yield* run(staffTestWebhook, { id })
    return {
      title: ok ? "Test event delivered" : "Test event failed",
      body: (
        <div class="stack narrow">
          {error === null
            ? <p class="note done">{`The response status was ${status}.`}</p>
            : <p class="note wrong">{describeDeliveryFault(error, status).long}</p>}
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

/** Redelivers events to a webhook, starting with the one specified in the form. */
export const replayWebhookPage = confirmPage("/developers/webhooks/:id/replay", {
  access,
  *view({ id, query, rejection, run }) {
    const { data, webhook } = yield* run(staffWebhook, { id })
    const { field, mistakes } = makeFormState(rejection, { from: "From event" }, { from: query("from") ?? "" })
    return {
      title: "Redeliver events?",
      lead: <code>{webhook.url}</code>,
      happens: [
        "The chosen event and all later events are resent immediately, oldest first. Events that were already " +
        "delivered are included.",
        "Events keep their IDs, so your application can skip events that it has already processed.",
        "New events are delivered after the redelivered events."
      ],
      refused: mistakes.generalError ?? mistakes.of("from"),
      children: (
        <Field
          {...field("from")}
          hint={data[0] === undefined ? undefined : `The newest event is ${data[0].event_id}.`}
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
      redirectTo(`/developers/webhooks/${id}`, "replayed")
    )
})

export const deleteWebhookPage = confirmPage("/developers/webhooks/:id/delete", {
  access,
  *view({ id, run }) {
    const { waiting, webhook } = yield* run(staffWebhook, { id })
    const pending = waiting >= 100
      ? "100 or more pending events"
      : waiting === 1
      ? "1 pending event"
      : `${waiting} pending events`
    return {
      title: "Delete this webhook?",
      lead: <code>{webhook.url}</code>,
      isLive: true,
      happens: [
        "No more events are sent to this address.",
        waiting === 0
          ? "All events so far have been delivered."
          : `${pending} will not be sent. The event log keeps all events.`,
        "The webhook's signing secret is deleted. If you add the address again, you get a new secret."
      ],
      button: "Delete webhook",
      back: `/developers/webhooks/${webhook.id}`
    }
  },
  submit: ({ id, run }) => Effect.as(ignoreNotFound(run(webhooksDelete, { id })), redirectTo("/developers", "unhooked"))
})

/** Describes a failed delivery, either briefly for lists or in full with a suggested fix. */
export const describeDeliveryFault = (
  fault: DeliveryFault,
  status: number
): { readonly short: string; readonly long: string } =>
  fault === "status"
    ? {
      short: `responded ${status}`,
      long:
        `The response status was ${status}. Only a status from 200 to 299 confirms delivery. Check your application's log.`
    }
    : words[fault]

const words = {
  dns: {
    short: "name not found",
    long: "The host name was not found. Check the spelling and the DNS record."
  },
  blocked_address: {
    short: "address not public",
    long: "The host name resolves to a private address. Events are sent to public addresses only."
  },
  connection: {
    short: "unreachable",
    long: "The connection was refused or closed. Check that your application is running and its port is open."
  },
  tls: {
    short: "certificate rejected",
    long: "The TLS certificate was rejected. Check its expiry date and host name."
  },
  timeout: {
    short: "timed out",
    long: "Your application did not respond within 5 seconds. Respond before you process the event."
  }
} as const satisfies Record<Exclude<DeliveryFault, "status">, { readonly short: string; readonly long: string }>
