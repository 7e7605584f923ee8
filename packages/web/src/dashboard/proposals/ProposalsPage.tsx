import { invalid } from "@trailbook/core"
import { automationNames } from "@trailbook/core/automation"
import { dashboardUnreached, type UnreachedGuestView } from "@trailbook/core/booking"
import {
  findNotifiedGuests,
  isGuestNotified,
  proposalsApprove,
  proposalsDismiss,
  proposalsList,
  proposalStatuses,
  proposalsUndo,
  type ProposalView
} from "@trailbook/core/proposal"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import type { OperationCaller } from "../../operationCaller.ts"
import type { Format } from "../../text/Format.ts"
import { automationLabels } from "../automations/automationFields.ts"
import { UnreachedGuests } from "../departures/departureParts.tsx"
import { Button, CursorPager, EmptyNote, ErrorNote, Link } from "../kit/elements.tsx"
import { getPageUrl, page, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { computeMessageDigest, ProposalCard } from "./ProposalCard.tsx"
import { ActionList, statusLabels } from "./proposalParts.tsx"

const pageSize = 20

/** Pending proposals, followed by a filtered history. */
export const proposalsPage = page("/proposals", {
  *view(context) {
    const { rejection, run } = context
    const filter = parseFilter(context)
    const { proposals: pending } = yield* context.pendingCounts
    const { data: proposalRows, next_cursor: next } = yield* run(proposalsList, {
      limit: pageSize,
      ...filter,
      cursor: context.query("cursor")
    })
    const history = proposalRows.filter(({ status }) => status !== "pending")
    const findUnreached = yield* makeFindUnreached(run, history)
    const findRefused = (id: string) => rejection?.form["id"] === id ? rejection : undefined
    const isListed = [...pending, ...history].some(({ id }) => id === rejection?.form["id"])
    return {
      title: "Proposals",
      isLive: true,
      lead: pending.length === 0
        ? "No pending proposals"
        : `${pending.length} pending`,
      actions: <Button icon="sliders-horizontal" to="/automations">Automations</Button>,
      body: (
        <div class="stack">
          {rejection !== undefined && !isListed && <ErrorNote>{rejection.message}</ErrorNote>}
          {pending.map((proposal) => (
            <ProposalCard key={proposal.id} proposal={proposal} refused={findRefused(proposal.id)} />
          ))}
          {pending.length === 0 && (
            <section class="card" aria-label="Pending proposals">
              <EmptyNote>
                No pending proposals. Automations that are switched on create proposals.{" "}
                <Link to="/automations">Preview proposals</Link>.
              </EmptyNote>
            </section>
          )}
          <section class="stack" aria-labelledby="history">
            <h2 id="history">History</h2>
            <Filters filter={filter} />
            {history.length === 0 && <p class="soft">No matching proposals.</p>}
            {history.map((proposal) => (
              <PastProposal
                key={proposal.id}
                proposal={proposal}
                refused={findRefused(proposal.id)}
                unreached={findUnreached(proposal)}
              />
            ))}
            <CursorPager next={next} query={{ ...filter }} />
          </section>
        </div>
      )
    }
  },
  submit: ({ form, run }) => {
    const id = form["id"] ?? ""
    switch (form["do"]) {
      case "dismiss":
        return Effect.as(run(proposalsDismiss, { id }), redirectTo("/proposals", "dismissed"))
      case "undo":
        return Effect.as(run(proposalsUndo, { id }), redirectTo("/proposals", "undone"))
      case "approve":
        return Effect.gen(function*() {
          const draft = parseDraft(form)
          const { status } = yield* run(proposalsApprove, { id, draft })
          return redirectTo(
            "/proposals",
            status === "failed" ? "approvedFailed" : status === "done" ? "approved" : "approvedLater"
          )
        })
      default:
        return Effect.fail(invalid("do: must be approve, dismiss, or undo"))
    }
  }
})

/** A past proposal, collapsed to a single line. */
const PastProposal = ({ unreached, ...props }: Parameters<typeof ProposalCard>[0] & {
  readonly unreached: ReadonlyArray<UnreachedGuestView>
}) => {
  const { proposal, refused } = props
  const { format } = usePage()
  if (proposal.reversible || refused !== undefined) return <ProposalCard {...props} />
  const { actions, error, id, status, title } = proposal
  return (
    <details class="card proposal" id={id} open={unreached.length > 0}>
      <summary class="row">
        <span class="grow" dir="auto">{title}</span>
        {unreached.length > 0 && (
          <span class="tag bad">
            {unreached.length === 1
              ? "The guest on 1 booking could not be reached"
              : `The guests on ${unreached.length} bookings could not be reached`}
          </span>
        )}
        <span class={status === "failed" ? "tag bad" : status === "done" ? "tag ok" : "tag"}>
          {statusLabels[status]}
        </span>
      </summary>
      <div class="pad stack">
        {error !== null && <p class="note wrong" dir="auto">{`Stopped: ${error}`}</p>}
        {unreached.length > 0 && <UnreachedGuests guests={unreached} hasTrip />}
        <ActionList actions={actions} />
        <p class="soft small">{outcomeText(proposal, format)}</p>
      </div>
    </details>
  )
}

/** Returns a function that looks up the guests whom a proposal did not reach. */
const makeFindUnreached = (run: OperationCaller, proposals: ReadonlyArray<ProposalView>) =>
  Effect.gen(function*() {
    const subjectsById = new Map(
      proposals.flatMap(({ actions, id, unreached = 0 }) =>
        unreached > 0 ? [[id, findNotifiedGuests(actions)] as const] : []
      )
    )
    const subjects = [...subjectsById.values()]
    const { data } = subjects.length === 0 ? { data: [] } : yield* run(dashboardUnreached, {
      session_ids: [...new Set(subjects.flatMap(({ sessionIds }) => sessionIds))],
      booking_ids: [...new Set(subjects.flatMap(({ bookingIds }) => bookingIds))].slice(0, 5000)
    })
    return ({ id }: ProposalView) => {
      const subject = subjectsById.get(id)
      return subject === undefined ? [] : data.filter((row) => isGuestNotified(subject, row.booking_id, row.session_id))
    }
  })

const outcomeText = ({ decided_by, done_at, status }: ProposalView, format: Format): string => {
  const deciderText = decided_by === "agent" ? "by the ops agent" : decided_by === null ? "" : "by your team"
  const at = done_at === null ? "" : ` ${format.moment(done_at)}`
  return `${statusLabels[status]} ${deciderText}${at}`.trim()
}

interface HistoryFilter {
  readonly status: Exclude<(typeof proposalStatuses)[number], "pending"> | undefined
  readonly automation: (typeof automationNames)[number] | undefined
}

const decidedStatuses = proposalStatuses.filter((status) => status !== "pending")

const parseFilter = ({ query }: Pick<PageContext, "query">): HistoryFilter => ({
  status: decidedStatuses.find((status) => status === query("status")),
  automation: automationNames.find((name) => name === query("automation"))
})

const Filters = ({ filter }: { readonly filter: HistoryFilter }) => (
  <form class="acts" action={getPageUrl(usePage())}>
    <select class="pick" name="status" aria-label="Status">
      <option value="">All statuses</option>
      {decidedStatuses.map((status) => (
        <option key={status} value={status} selected={status === filter.status}>{statusLabels[status]}</option>
      ))}
    </select>
    <select class="pick" name="automation" aria-label="Automation">
      <option value="">All automations</option>
      {automationNames.map((name) => (
        <option key={name} value={name} selected={name === filter.automation}>{automationLabels[name].name}</option>
      ))}
    </select>
    <button class="btn">Show</button>
  </form>
)

/** Returns the draft if its digest shows that the text was edited. */
const parseDraft = ({ body, subject = "", was }: Form) => {
  if (body === undefined || was === undefined || was === computeMessageDigest({ body, subject })) return undefined
  return { body, ...subject.trim() === "" ? {} : { subject } }
}
