import * as Schema from "effect/Schema"
import { deciders } from "../actor/attribution.ts"
import { type Action, actionKinds } from "../automation/Action.ts"
import { automations, autonomyLevels } from "../automation/Automation.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Date, Id, ids, Json, Metadata, Timestamp } from "../wire/View.ts"
import { isReversible, type Proposal, proposalStatuses } from "./Proposal.ts"

const left = <A, I>(words: string, schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(withDescription(words, schema), { exact: true })

export const ActionView = Schema.Struct({
  kind: withDescription("what it does", Schema.Literal(...actionKinds), "create_session"),
  op: withDescription("the operation that it runs", Schema.String, "sessions.create"),
  input: withDescription("what that is asked", Metadata, {
    offering_id: ids.offering,
    starts_at: "2027-05-02T15:00:00.000Z"
  }),
  facts: withDescription(
    "what it is about and why: the session or booking, the reason, the refund, the words",
    Metadata,
    {
      why: "full",
      reason: "9 of 10 seats are booked on 2027-05-01."
    }
  ),
  money: left("it refunds", Schema.Boolean),
  reversible: left("it can be taken back", Schema.Boolean),
  result: left(
    "what came of it",
    Schema.Struct({
      ok: withDescription("whether it was done", Schema.Boolean),
      data: left("the ids of what it made or changed", Json),
      error: left("why it was refused", Schema.String)
    })
  ),
  undo: left(
    "how it is taken back",
    Schema.Struct({
      op: withDescription("the operation that does so", Schema.String, "sessions.cancel"),
      input: withDescription("what that is asked", Metadata, { id: ids.session })
    })
  )
}).annotations({ identifier: "ProposalAction" })

/** The API representation of a proposal. */
export const ProposalView = Schema.Struct({
  id: withDescription("its id", Id, ids.proposal),
  automation: withDescription("which automation made it", Schema.Literal(...automations), "fill"),
  status: withDescription("pending until it has ended", Schema.Literal(...proposalStatuses), "pending"),
  dial: withDescription(
    "ask waits for a person; with the others the agent acts by itself",
    Schema.Literal(
      ...autonomyLevels.filter((dial) => dial !== "off")
    )
  ),
  title: withDescription("what it would do, and why", Schema.String, "Open Half-day rafting on Sun, May 2, 2027"),
  day: withDescription("the local date that it is for", Date, "2027-05-02"),
  session_id: withDescription("the session that it is about", Schema.NullOr(Id)),
  booking_id: withDescription("the booking that it is about", Schema.NullOr(Id)),
  data: withDescription(
    "the brief's trips, unanswered threads and weather; held is cap or money when the agent waits instead of acting",
    Metadata,
    { booked: 9, seats: 10 }
  ),
  actions: withDescription("what is run, in this order", Schema.Array(ActionView)),
  money: withDescription("an action refunds", Schema.Boolean, false),
  reversible: withDescription("it is done, and proposals.undo can take it back", Schema.Boolean, false),
  unreached: left(
    "proposals.list and proposals.approve, if it is done or failed: how many bookings have guests that its email did not " +
      "reach; call them",
    Schema.Int
  ),
  expires_at: withDescription("from then on it is too late", Schema.NullOr(Timestamp), "2027-05-02T15:00:00.000Z"),
  created_at: withDescription("when it was made", Timestamp, "2027-05-01T15:00:00.000Z"),
  decided_at: withDescription("when it was decided", Schema.NullOr(Timestamp)),
  done_at: withDescription("when it was done, or failed", Schema.NullOr(Timestamp)),
  decided_by: withDescription("who decided", Schema.NullOr(Schema.Literal(...deciders))),
  error: withDescription("why it failed", Schema.NullOr(Schema.String))
}).annotations({ identifier: "Proposal" })
export type ProposalView = typeof ProposalView.Type

export const proposalView = (
  { unreached, ...proposal }: Proposal & { readonly unreached?: number }
): ProposalView => ({
  ...view({
    ...proposal,
    day: LocalDate.format(proposal.day),
    data: proposal.held === null ? proposal.data : { ...proposal.data, held: proposal.held },
    actions: proposal.actions.map(actionView),
    money: proposal.actions.some(({ money }) => money === true),
    reversible: isReversible(proposal)
  }),
  ...(unreached === undefined ? {} : { unreached })
})

const view = toView(ProposalView.omit("unreached"))

export const actionView = ({ facts, ...action }: Action): typeof ActionView.Type => ({ ...action, facts: { ...facts } })
