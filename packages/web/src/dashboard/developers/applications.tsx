/** Authorized assistants, instructions for authorizing more, and the list of their tool calls. */
import { staffKeys } from "@trailbook/core/actor"
import { assistantsActivity } from "@trailbook/core/assistant"
import { isUrlClientId } from "@trailbook/core/oauth"
import { staffApplications, staffWithdraw } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../operationCaller.ts"
import { getSiteRoot } from "../../Site.ts"
import { ActionButton, Button, Card, EmptyNote, Link, Table } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { page, redirectTo } from "../kit/page.tsx"
import { toCsvMoment } from "../parts/dateTimes.ts"

const access = "staff"

export const applicationsPage = page("/applications", {
  access,
  *view({ format, request, run, site }) {
    const { data } = yield* run(staffApplications, {})
    return {
      title: "Assistants",
      lead: "Assistants that can view and change your bookings. Disconnecting takes effect immediately.",
      actions: <Button to="/applications/calls">Assistant activity</Button>,
      body: (
        <div class="stack">
          <Card id="address" title="Connect an assistant" pad="stack tight">
            <p>Give this address to your assistant. You will then choose what the assistant can do.</p>
            <p>
              <code dir="ltr">{`${getSiteRoot(site, request) ?? ""}/mcp`}</code>
            </p>
          </Card>
          <Card id="connected" title="Connected assistants">
            {data.length === 0 && <EmptyNote>No assistant is connected.</EmptyNote>}
            <ul class="rows">
              {data.map(({ approved_by, client_id, created_at, id, last_used_at, name, personal, scopes }) => (
                <li key={id}>
                  <div class="grow">
                    <b dir="auto">{name === "" ? client_id : name}</b>
                    {isUrlClientId(client_id) && <span class="tag info">{new URL(client_id).host}</span>}
                    <p class="soft small">
                      {scopes.join(", ")} · {personal ? "can view guest data" : "no access to guest data"}
                    </p>
                    <p class="soft small">
                      {`Connected${approved_by === "" ? "" : ` by ${approved_by}`} on ${format.day(created_at)}`} ·{" "}
                      {last_used_at === null ? "never used" : `last used on ${format.day(last_used_at)}`}
                    </p>
                  </div>
                  <ActionButton look="bad" to={`/applications/${id}/withdraw`} aria-label={`Disconnect: ${name}`}>
                    Disconnect
                  </ActionButton>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )
    }
  }
})

export const withdrawApplicationPage = page("/applications/:id/withdraw", {
  access,
  submit: ({ id, run }) =>
    Effect.as(ignoreNotFound(run(staffWithdraw, { id })), redirectTo("/applications", "withdrawn"))
})

/** Formats `bookings.check_in` as "Bookings: check in". */
const toWords = (code: string): string => {
  const text = code.replace(".", ": ").replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const outcomeText = (outcome: string): string =>
  outcome === "done" ? "Done" : outcome === "preview" ? "Preview only" : `Refused: ${outcome.replaceAll("_", " ")}`

export const assistantCallsPage = listPage("/applications/calls", assistantsActivity, {
  access: "staff",
  filters: {
    application: {
      label: "Assistant",
      *options({ run }) {
        const { data: applications } = yield* run(staffApplications, {})
        const { data: keys } = yield* run(staffKeys, {})
        return [
          ...applications.map(({ client_id, id, name }) => [id, name === "" ? client_id : name] as const),
          ...keys.map(({ id, last4, name }) => [id, `${name} …${last4}`] as const)
        ]
      }
    },
    // Each row links to the calls for its operation.
    operation: {
      label: "Operation",
      isHidden: true,
      options: ({ query }) => {
        const operation = query("operation") ?? ""
        return /^[a-z_]+\.[a-z_]+$/.test(operation) ? [[operation, operation]] : []
      }
    },
    from: { label: "From", date: "start" },
    to: { label: "To", date: "end" }
  },
  csv: ({ org: { timezone } }) => ({
    Time: ({ at }) => toCsvMoment(at, timezone),
    Assistant: ({ application }) => application.name,
    Credential: ({ application }) => application.kind,
    "Credential ID": ({ application }) => application.id,
    Operation: ({ operation }) => operation,
    Result: ({ outcome }) => outcome,
    Booking: ({ booking }) => booking?.reference ?? null
  }),
  view: ({ format, query }, { rows }) => {
    const operation = query("operation")
    return {
      title: "Assistant activity",
      lead: operation === undefined
        ? "Assistant calls in the last 90 days, newest first. Guest data is omitted."
        : `Filtered by action: ${toWords(operation)}.`,
      actions: <Button to="/applications">Assistants</Button>,
      empty: "No calls yet. Connect an assistant first.",
      noMatch: "No calls match. Try other dates or another assistant.",
      rows: (
        <Table
          label="Assistant calls, as a table"
          kind="stacked"
          heads={["Time", "Assistant", "Action", "Result", "Booking"]}
        >
          {rows.map(({ application, at, booking, id, operation, outcome }) => (
            <tr key={id}>
              <td class="num">{format.moment(at)}</td>
              <td dir="auto">{application.name === "" ? application.id : application.name}</td>
              <td>
                <Link to={`/applications/calls?operation=${operation}`}>{toWords(operation)}</Link>
              </td>
              <td>
                <span class={outcome === "done" ? "tag ok" : outcome === "preview" ? "tag info" : "tag bad"}>
                  {outcomeText(outcome)}
                </span>
              </td>
              <td>
                {booking !== null && (
                  <Link to={`/bookings/${booking.id}`}>
                    <code>{booking.reference}</code>
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )
    }
  }
})
