import * as Schema from "effect/Schema"
import { deciders } from "../actor/attribution.ts"
import { type Action, actionKinds } from "../automation/Action.ts"
import { automations, autonomyLevels } from "../automation/Automation.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Date, Id, ids, Json, Metadata, optionalField, Timestamp } from "../wire/View.ts"
import { isReversible, type Proposal, proposalStatuses } from "./Proposal.ts"

export const ActionView = Schema.Struct({
  kind: withDescription("the kind of action", Schema.Literal(...actionKinds), "create_session"),
  op: withDescription("the operation to run", Schema.String, "sessions.create"),
  input: withDescription("the operation's input", Metadata, {
    offering_id: ids.offering,
    starts_at: "2027-05-02T15:00:00.000Z"
  }),
  facts: withDescription(
    "the context of the action, such as the session, reason, refund, or message text",
    Metadata,
    {
      why: "full",
      reason: "9 of 10 seats are booked on 2027-05-01."
    }
  ),
  money: optionalField("whether the action refunds money", Schema.Boolean),
  reversible: optionalField("whether the action can be undone", Schema.Boolean),
  result: optionalField(
    "the result",
    Schema.Struct({
      ok: withDescription("whether the action succeeded", Schema.Boolean),
      data: optionalField("the IDs of the created or changed records", Json),
      error: optionalField("the reason for a failure", Schema.String)
    })
  ),
  undo: optionalField(
    "the operation call that undoes the action",
    Schema.Struct({
      op: withDescription("the operation that undoes the action", Schema.String, "sessions.cancel"),
      input: withDescription("the operation's input", Metadata, { id: ids.session })
    })
  )
}).annotations({ identifier: "ProposalAction" })

/** The API representation of a proposal. */
export const ProposalView = Schema.Struct({
  id: withDescription("its ID", Id, ids.proposal),
  automation: withDescription("the automation that created the proposal", Schema.Literal(...automations), "fill"),
  status: withDescription(
    "the status. pending includes approved proposals that are not done yet",
    Schema.Literal(...proposalStatuses),
    "pending"
  ),
  dial: withDescription(
    "the automation's dial. ask requires approval, and do_tell and do_quiet run automatically",
    Schema.Literal(
      ...autonomyLevels.filter((dial) => dial !== "off")
    )
  ),
  title: withDescription(
    "the proposed change and its reason",
    Schema.String,
    "Open Half-day rafting on Sun, May 2, 2027"
  ),
  day: withDescription("the affected local date", Date, "2027-05-02"),
  session_id: withDescription("the affected session", Schema.NullOr(Id)),
  booking_id: withDescription("the affected booking", Schema.NullOr(Id)),
  data: withDescription(
    "for a brief: the trips, unanswered conversations, and weather. If a limit requires approval, held is cap or money",
    Metadata,
    { booked: 9, seats: 10 }
  ),
  actions: withDescription("the actions, in order", Schema.Array(ActionView)),
  money: withDescription("whether an action refunds money", Schema.Boolean, false),
  reversible: withDescription("whether the proposal is done and proposals.undo can undo it", Schema.Boolean, false),
  unreached: optionalField(
    "the number of bookings whose guests did not get the email from a done or failed proposal. Call these guests. " +
      "Only proposals.list and proposals.approve return this field",
    Schema.Int
  ),
  expires_at: withDescription("the deadline for a decision", Schema.NullOr(Timestamp), "2027-05-02T15:00:00.000Z"),
  created_at: withDescription("when the proposal was created", Timestamp, "2027-05-01T15:00:00.000Z"),
  decided_at: withDescription("when the proposal was decided", Schema.NullOr(Timestamp)),
  done_at: withDescription("when the proposal finished or failed", Schema.NullOr(Timestamp)),
  decided_by: withDescription("how the proposal was decided", Schema.NullOr(Schema.Literal(...deciders))),
  error: withDescription("why the proposal failed", Schema.NullOr(Schema.String))
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
